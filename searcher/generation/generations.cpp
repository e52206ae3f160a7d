// SPDX-License-Identifier: Apache-2.0
#include "searcher/generation/generations.h"

#include <algorithm>

namespace souk::generation {

namespace {

auto is(const GenerationId& id) {
  return [&id](const Generations::Pointer& generation) { return generation->id == id; };
}

}  // namespace

Generations::Pointer Generations::find(const GenerationId& id) const {
  const auto state = state_.get();
  const auto at = std::ranges::find_if(state->all, is(id));
  return at == state->all.end() ? nullptr : *at;
}

std::vector<GenerationId> Generations::held() const {
  std::vector<GenerationId> ids;
  for (const Pointer& generation : state_.get()->all) ids.push_back(generation->id);
  return ids;
}

void Generations::add(Pointer generation) {
  auto next = std::make_shared<State>(*state_.get());
  next->all.push_back(std::move(generation));
  state_.set(next);
}

bool Generations::activate(const GenerationId& id) {
  auto next = std::make_shared<State>(*state_.get());
  next->active = find(id);
  if (!next->active) return false;
  state_.set(next);
  return true;
}

void Generations::keep_only(const std::vector<GenerationId>& ids) {
  auto next = std::make_shared<State>(*state_.get());
  std::erase_if(next->all, [&](const Pointer& generation) {
    return generation != next->active && std::ranges::find(ids, generation->id) == ids.end();
  });
  state_.set(next);
}

}  // namespace souk::generation
