import path from 'node:path';
import { expect, test } from 'vitest';
import {
  addCastMember,
  editCharter,
  renameMember,
  reroleMember,
  restoreMember,
  retireOne,
} from '#core/casting/members.js';
import type { ProposalRequest } from '#core/casting/propose.js';
import { planRender } from '#core/casting/render-files.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import type { SquadPlan, SquadTexts } from '#core/squad/file-change.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { teamOf } from '#core/squad/team.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, memberWish, propose, templates } from './stage.js';

/** Lines that left a text and lines that came to it, in their order. */
function difference(before: string, now: string): string[] {
  const [old, fresh] = [before.split('\n'), now.split('\n')];
  const kept: number[][] = Array.from({ length: old.length + 1 }, () => Array(fresh.length + 1).fill(0));
  const at = (row: number, column: number) => kept[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = fresh.length - 1; column >= 0; column--)
      (kept[row] ?? [])[column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    if (row < old.length && column < fresh.length && old[row] === fresh[column]) {
      row++;
      column++;
    } else if (column === fresh.length || (row < old.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push(`    - ${old[row++]}`);
    else lines.push(`    + ${fresh[column++]}`);
  }
  return lines;
}

const DERIVED = ['.squad/casting/registry.json', '.squad/casting/history.json'];

function told(texts: SquadTexts, changes: readonly FileChange[]): string[] {
  return changes.flatMap((change) => {
    const head = `  ${change.kind} ${change.path}`;
    if (change.kind === 'remove') return [head];
    if (change.kind === 'append')
      return [`${head} by ${change.idField}`, ...change.lines.map((line) => `    + ${line}`)];
    // What these say, the events say too; one of each is told in full.
    if (DERIVED.includes(change.path) && texts.has(change.path)) return [`${head} ${sha256(change.text).slice(0, 12)}`];
    const before = texts.get(change.path);
    if (before !== undefined) return [head, ...difference(before, change.text)];
    return [head, ...change.text.split('\n').map((line) => `    | ${line}`)];
  });
}

/** A team that is changed step by step, and everything that each step writes and answers. */
class Story {
  readonly lines: string[] = [];
  state: SquadState = NO_SQUAD;
  private count = 0;
  readonly freshId = () => `id-${++this.count}`;

  step(title: string, make: (wish: TeamRequest) => SquadPlan<unknown>, more: Partial<TeamRequest> = {}): void {
    const { changes, result } = make(memberWish(this.state, { freshId: this.freshId, ...more }));
    this.lines.push(`# ${title}`, ...told(this.state.texts, changes), `  = ${JSON.stringify(result)}`);
    this.state = after(this.state, changes);
  }

  cast(title: string, ids: readonly string[], more: Partial<ProposalRequest>, wish: Partial<TeamRequest> = {}): void {
    const proposal = propose(ids, { state: this.state, proposalId: `proposal-${title}`, ...more });
    const { members, ...rest } = proposal;
    // The charters are told where they are written.
    const rows = members.map(({ charter_markdown: charter, ...member }) => ({ ...member, charter: charter.length }));
    this.lines.push(`# ${title}: the proposal`, ...[rest, ...rows].map((one) => `  ${JSON.stringify(one)}`));
    this.step(title, ({ state }) => confirm(proposal, state, { freshId: this.freshId, ...wish }));
  }

  byHand(file: string, text: string): void {
    this.state = readSquadState(new Map(this.state.texts).set(file, text));
  }
}

test('each change of a team writes these files, and answers this', async () => {
  const story = new Story();
  story.cast(
    'cast',
    ['lead-architect', 'writer'],
    { universe: 'The Matrix', rationale: 'Write | a book\nabout `us`.' },
    { clientFiles: 'wanted' },
  );
  story.cast('grow', ['qa-engineer', 'writer'], { intent: 'augment' });
  story.step('add', (wish) => addCastMember(wish, 'core-implementer'));
  story.step('rename', (wish) => renameMember(wish, 'Neo', 'Thomas'));
  story.step('edit', (wish) => editCharter(wish, 'Trinity', '# Trinity — Writer\n\nMy own words.\n'));
  story.step('another role for one whose charter was edited', (wish) => reroleMember(wish, 'trinity', 'docs-writer'));
  story.step('retire', (wish) => retireOne(wish, 'Morpheus'));
  story.step('retire the leader', (wish) => retireOne(wish, 'Thomas', 'Tank'), { agentFor: ({ id }) => `agent-${id}` });
  story.step('restore', (wish) => restoreMember(wish, 'Morpheus'));
  story.step('agents of the agency', (wish) => reroleMember(wish, 'Tank', 'core-implementer'), {
    agentFor: ({ id }) => `agent-${id}`,
  });
  story.cast('cast again', ['writer', 'docs-writer'], { intent: 'recast' });
  story.cast('replace', ['qa-engineer'], { intent: 'new', universe: 'descriptive' }, { clientFiles: 'untouched' });
  for (const file of ['.squad/team.md', '.squad/routing.md', '.squad/casting/registry.json', 'AGENTS.md'])
    story.byHand(file, '# Mine\n');
  story.step('render', ({ state }) =>
    planRender({ state, catalog, templates, project: 'zion', clientFiles: 'configured' }),
  );
  story.lines.push(
    '# the team',
    JSON.stringify(teamOf('zion', story.state.registry, story.state.history), undefined, 1),
  );
  await expect(`${story.lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/story.txt'));
});
