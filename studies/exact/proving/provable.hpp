#pragma once

#include "studies/exact/laws/spring_roles.hpp"

namespace counterpoise {

/// Throws InputError, with the place, where a study asks for a proof over geometry ("geometry":
/// "prove") that there is none for: no variable moves mounts, or more than six do; one moves or
/// loads the mechanism, or enters what springs keep or what is minimised; springs are chosen from
/// catalogues; objectives or constraints read lengths or least tensions of springs; a trade-off.
void require_provable(const Study& study, const SpringRoles& roles);

}  // namespace counterpoise
