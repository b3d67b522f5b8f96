// What the judge knows about both parts.
#include "reference/card.h"
#include "reference/circles.h"

const std::vector<PartJudge> kPartJudges = {{"circles", circles::judge}, {"card", card::judge}};
