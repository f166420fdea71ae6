import { expect, test } from 'vitest';
import { type MessageFact, messageTask } from '#core/graph/message.js';
import { parseWait, waitTask } from '#core/graph/wait.js';
import { verifies } from '../../verifies.js';
import { codeOf, Play } from './graph.js';

const run = { name: 'agent-1', taskId: 'a', fence: 1 };
let number = 0;
const said = (from: string, kind: MessageFact['kind']): MessageFact => {
  number++;
  return { message_id: `m${number}`, number, from, kind };
};

/** A task that agent-1 holds and has parked. */
function parked(until: string): Play {
  const play = new Play({ id: 'a' }, { id: 'b' });
  play.claim('a', { name: 'agent-1' });
  play.move((view, { now, by }) => {
    const wait = parseWait(view, until, { now, by: by.name, files: new Map() });
    return waitTask(view, 'a', wait, { now, by });
  }, run);
  return play;
}

const tell = (play: Play, fact: MessageFact, id = 'a') => play.move((view) => messageTask(view, id, fact));

verifies(['graph.wait.met', 'graph.wait.to'], 'a message wakes who waits for one, in the same group', () => {
  const play = parked('message');
  tell(play, said('agent-2', 'run'));
  expect(play.task('a')).toMatchObject({ status: 'in-progress', assigned: 'agent-1' });
  expect(play.task('a').log?.at(-1)?.message).toBe('Goes on: a message is there');
  expect(play.entries.slice(-2).map(({ op, tx }) => [op, tx])).toEqual([
    ['message', [1, 2]],
    ['wake', [2, 2]],
  ]);
});

verifies('graph.wait.met', 'not one of the run that waits, not one for another task', () => {
  const play = parked('message');
  tell(play, said('agent-1', 'run'));
  tell(play, said('ann', 'person'), 'b');
  expect(play.task('a').status).toBe('waiting');
  tell(play, said('agent-1', 'person')); // a person who is called so
  expect(play.task('a').status).toBe('in-progress');
});

verifies('graph.wait.met', 'human-input is a word from a person, whatever a run calls itself', () => {
  const play = parked('human-input');
  tell(play, said('agent-2', 'run'));
  tell(play, said('ann', 'run'));
  tell(play, said('coordinator', 'coordinator'));
  expect(play.task('a').status).toBe('waiting');
  tell(play, said('ann', 'person'));
  expect(play.task('a').status).toBe('in-progress');
});

verifies(
  'graph.wait.met',
  'what came before the wait does not count; of several conditions each counts once it was seen',
  () => {
    const early = new Play({ id: 'a' });
    early.claim('a');
    tell(early, said('ben', 'person'));
    early.move((view, { now, by }) =>
      waitTask(view, 'a', parseWait(view, 'message', { now, files: new Map() }), { now, by }),
    );
    early.tick(early.now + 60_000);
    expect(early.task('a').status).toBe('waiting');
    const play = parked('task:b=done,message,human-input');
    tell(play, said('agent-2', 'run'));
    expect(play.task('a').wait_condition?.conditions[1]).toEqual({ type: 'message', seen: true });
    tell(play, said('ann', 'person'));
    expect(play.task('a').status).toBe('waiting');
    play.done('b');
    expect(play.task('a').status).toBe('in-progress');
  },
);

test('a message alone changes no task, and needs one', () => {
  const play = new Play({ id: 'a', status: 'done' });
  const before = play.task('a');
  tell(play, said('ann', 'person'));
  expect(play.task('a')).toEqual(before);
  expect(play.entries.map(({ op, task_id, actor, patch }) => ({ op, task_id, actor, patch }))).toEqual([
    { op: 'message', task_id: 'a', actor: 'ann', patch: [] },
  ]);
  expect(codeOf(() => tell(play, said('ann', 'person'), 'nobody'))).toBe('unknown_task');
});
