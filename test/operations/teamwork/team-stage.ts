import { LocalFiles } from '#adapters/files/local-files.js';
import { claimTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { EscalationWords } from '#core/mail/gates.js';
import { askReview, reviewerOf } from '#core/teams/ask-review.js';
import type { Context } from '#operations/operation.js';
import { add, create } from '#operations/teams/teams.js';
import { project } from '../../core/mail/tree.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { NO_RUNS } from '../../no-runs.js';
import { NO_TREE } from '../../no-teams.js';
import { Stage } from '../team/casting-stage.js';

/** A project with a graph and a crew, whose members act through their runs. */
export class TeamStage extends Stage {
  requestId: string | undefined;
  readonly graph = new GraphInMemory({ now: () => this.now });

  constructor() {
    super();
    this.store = this.graph;
  }

  override context(): Context {
    const { caller, requestId } = this;
    return {
      ...super.context(),
      ...{ caller, request: requestId === undefined ? {} : { requestId } },
      runs: async () => NO_RUNS,
      mail: async () => this.mail,
      files: async () => new LocalFiles(this.folder),
    };
  }

  /** Creates a crew led by Ripley, with Hicks and Bishop as members and Newt as observer. */
  async crew(): Promise<void> {
    await this.call(create, { name: 'crew', leader: 'Ripley' });
    for (const name of ['Hicks', 'Bishop']) await this.call(add, { team: 'crew', name });
    await this.call(add, { team: 'crew', name: 'Newt', position: 'observer' });
  }

  async task(id: string): Promise<Task> {
    return taskOf(await this.graph.view(), id);
  }

  /** Lets a run claim a task and call all further operations. */
  async begin(taskId: string, name: string): Promise<void> {
    const { result } = await this.graph.commit((view) =>
      claimTask(view, taskId, { now: this.now, by: { name }, force: true }),
    );
    this.caller = { kind: 'run', name, taskId, fence: result.fence };
  }

  /** Sets the gates in `project.yaml`. */
  escalation(words: EscalationWords): void {
    this.roster = { ...NO_TREE, project: async () => project('P', { escalation: words }) };
  }

  person(name = 'ann'): void {
    this.caller = { kind: 'person', name };
  }

  /** Performs the step of a round that requests reviews. */
  async askReviews(): Promise<void> {
    const view = await this.graph.view();
    for (const id of view.unreviewed()) {
      const task = taskOf(view, id);
      const team = await this.teams.getTeam(task.team ?? '');
      const reviewer = team && reviewerOf(team, task);
      if (reviewer)
        await this.graph.commit((now) => askReview(now, task, reviewer, this.now) ?? { events: [], result: undefined });
    }
  }
}
