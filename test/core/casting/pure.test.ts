import { expect } from 'vitest';
import { amendProposal } from '#core/casting/amend.js';
import { picksFromAnswer } from '#core/casting/model-casting.js';
import { pickByWords } from '#core/casting/ranking.js';
import { rebuildRegistry } from '#core/squad/registry.js';
import { chooseUniverse } from '#core/squad/universe.js';
import { verifies } from '../../verifies.js';
import { catalog, confirm, NOW, propose, teamOf, templates, textOf } from './stage.js';

/** Whoever changes what it was given would throw here. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return value;
}

verifies(
  'casting.shape.pure',
  'ranking, parser, allocator, charters, amendment, confirm plan and rebuild: same in, same out, nothing touched',
  () => {
    const state = frozen(teamOf('writer', 'qa-engineer'));
    frozen(catalog);
    const proposal = frozen(propose(['docs-writer'], { state, intent: 'recast', proposalId: 'p' }));
    const events = textOf(state, '.squad/casting/registry.events.jsonl');
    let id = 0;
    const ids = () => `fixed-${++id}`;
    const all = () => {
      id = 0;
      return [
        pickByWords(catalog, 'write about the api'),
        picksFromAnswer(catalog, 'So: {"roles": ["writer"]}', 3),
        chooseUniverse({ policy: undefined, pools: catalog.universes, history: [], seed: 'zion' }),
        propose(['writer', 'docs-writer'], { state, proposalId: 'q' }),
        amendProposal({ proposal, state, catalog, templates, members: [{ archetype_id: 'writer' }], now: NOW }),
        confirm(proposal, state, { intent: 'recast', freshId: ids }),
        rebuildRegistry(events),
      ];
    };
    expect(JSON.stringify(all())).toBe(JSON.stringify(all()));
  },
);
