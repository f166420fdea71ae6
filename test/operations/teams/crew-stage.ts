import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { claimTask, doneTask } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import type { TroupeError } from '#kernel/errors.js';
import { planWork } from '#operations/teams/strata.js';
import { add, create } from '#operations/teams/teams.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { Stage } from '../team/casting-stage.js';

/** An empty team of Ripley, Hicks and a person, with a graph and a model that gives these answers. */
export async function crew(...answers: (string | TroupeError)[]) {
  const stage = new Stage();
  const clock = { now: () => stage.now };
  const store = new GraphInMemory(clock);
  stage.store = store;
  const model = new ScriptedModel(answers);
  stage.model = model;
  const { team } = await stage.call(create, { leader: 'Ripley' });
  await stage.call(add, { team: team.id, name: 'Hicks' });
  await stage.call(add, { team: team.id, name: 'Boss', person: 'ann', position: 'observer' });
  const tasks = async () => [...(await store.view()).nodes()].map(({ id }) => id);
  const task = async (id: string) => taskOf(await store.view(), id);
  /** Claims a task as the coordinator does, and acts as its run until it is done. */
  const as = async <Answer>(id: string, work: () => Promise<Answer>): Promise<Answer> => {
    stage.now++;
    const { result } = await store.commit((view) =>
      claimTask(view, id, { now: stage.now, by: { name: `agent-of-${id}` } }),
    );
    const by = { name: `agent-of-${id}`, taskId: id, fence: result.fence };
    stage.caller = { kind: 'run', ...by };
    try {
      return await work();
    } finally {
      stage.caller = { kind: 'person', name: 'ann' };
      await store.commit((view) => doneTask(view, id, { now: stage.now, by }));
    }
  };
  const plan = async (version = 1, tries = 1) => {
    const id = (await tasks()).find((one) => one.startsWith('.strata') && one.endsWith(`-${version}-${tries}`)) ?? '';
    return await as(id, () => stage.call(planWork, { team: team.id, version: `${version}`, tries: `${tries}` }));
  };
  const turnOf = async (end: string) => (await tasks()).find((id) => id.startsWith('.turn') && id.endsWith(end)) ?? '';
  return { stage, store, model, team, tasks, task, as, plan, turnOf };
}
