// What the judge knows about all parts.
#include "reference/card.h"
#include "reference/circles.h"
#include "reference/volume.h"

const std::vector<PartJudge> kPartJudges = {
    {"circles", circles::judge}, {"card", card::judge}, {"volume", volume::judge}};
