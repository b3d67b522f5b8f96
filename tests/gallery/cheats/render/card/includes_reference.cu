// verdict: =forbidden
// Has the answer computed by what the judge compares with.
#include "card.h"
#include "reference/card.h"

void render_card(const CardScene&, float4*, Workspace&) {}
