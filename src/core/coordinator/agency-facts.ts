import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';

/** What the coordinator has to know of who does the work. */
export interface AgencyFacts {
  readonly autoAssign: boolean;
  readonly autoEvaluate: boolean;
  /** Why there is no model to score anything; undefined where there is one, or nobody asked for scores. */
  readonly unjudged: string | undefined;
  /** There is one now, and it was not known before. */
  readonly judgeIsNew: boolean;
  /** Those that tasks can be for, by id. */
  readonly agents: ReadonlyMap<
    string,
    {
      readonly human: boolean;
      readonly capacity: number;
      readonly executor: string;
      readonly provider: string | undefined;
    }
  >;
  /** A score below this fails a task; `all`: also one without the tag. */
  readonly gate: { readonly threshold: number; readonly all: boolean } | undefined;
  /** Work whose output shows its task less well than this is looked into once more. */
  readonly verifyBelow: number | undefined;
}

export interface WithAgency {
  readonly agency: AgencyFacts;
}

export const NO_AGENCY: AgencyFacts = {
  ...{ autoAssign: false, autoEvaluate: false, unjudged: undefined, judgeIsNew: false },
  ...{ agents: new Map(), gate: undefined, verifyBelow: undefined },
};

/** Is somebody known, or something of it switched on? */
export function isAtWork({ agents, autoEvaluate, verifyBelow }: AgencyFacts): boolean {
  return agents.size > 0 || autoEvaluate || verifyBelow !== undefined;
}

/** The agent a task is for and who is not there (unknown, retired, edited by hand); undefined when all is well. */
export function missingAgent(task: Task, agency: Pick<AgencyFacts, 'agents'> | undefined): string | undefined {
  const agent = AGENT.of(task);
  if (agent === undefined || agency?.agents.has(String(agent)) === true) return undefined;
  return String(agent);
}
