// SPDX-License-Identifier: MIT
#include "registry/load/isolation_report.hpp"

#include "registry/load/isolation_rule.hpp"

namespace polycodec {

Json rule_json(const IsolationRule& rule) {
  Json required = Json::list();
  for (auto layer = Layer::no_new_privileges; layer <= Layer::not_dumpable;
       layer = static_cast<Layer>(static_cast<int>(layer) + 1))
    if ((rule.require >> static_cast<unsigned>(layer) & 1u) != 0)
      required.push_back(layer_name(layer));
  return {{"mode", isolation_mode_name(rule.mode)},
          {"memory", rule.memory_bytes},
          {"cpu_seconds", rule.cpu_seconds},
          {"wall_seconds", rule.wall_seconds},
          {"load_seconds", rule.load_seconds},
          {"reuse", rule.reuse},
          {"require", required}};
}

Json isolation_json(const IsolationReport* report) {
  if (report == nullptr) return {};
  Json layers = Json::object();
  for (const LayerResult& result : report->layers)
    layers[std::string(layer_name(result.layer))] =
        result.error == 0 ? Json() : Json(std::generic_category().message(result.error));
  return {{"rule", rule_json(report->rule)},
          {"layers", layers},
          {"starts", report->starts},
          {"deaths", report->deaths},
          {"kills", report->kills}};
}

}  // namespace polycodec
