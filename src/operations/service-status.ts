import * as z from 'zod/mini';

const texts = z.array(z.string());

/** State of a running service. Intervals are in seconds. */
export const serviceStatus = z.object({
  pid: z.number(),
  started_at: z.string(),
  /** Addresses over HTTP; missing before the first use of the dashboard. */
  listens: z.optional(texts),
  /** Only for a project in a database. */
  leadership: z.optional(z.object({ leader: z.string(), epoch: z.number(), standbys: texts })),
  /** Workers that take attempts and silent ones; missing if there are none. */
  workers: z.optional(z.array(z.object({ name: z.string(), silent: z.boolean() }))),
  agents: z.object({ alive: z.number(), at_workers: z.number(), idle: z.number(), total: z.number() }),
  coordinator: z.object({
    paused: z.boolean(),
    max_agents: z.number(),
    poll_interval: z.number(),
    executor: z.string(),
    model: z.nullable(z.string()),
    ticks: z.number(),
    last_tick: z.nullable(z.string()),
    tasks_ready: z.number(),
    /** Reason why the client cannot be started. */
    executor_missing: z.optional(z.string()),
  }),
  /** Problem with teams and messages found at the start. */
  teams_problem: z.optional(z.string()),
  /** Problems with worktrees found at the start. */
  worktree_gaps: z.optional(texts),
});

export type ServiceStatus = z.infer<typeof serviceStatus>;

/** Values of a running service. The interval is in seconds. */
export const serviceValues = z.object({
  max_agents: z.number(),
  executor: z.string(),
  poll_interval: z.number(),
  model: z.nullable(z.string()),
  /** Reason why the client cannot be started. */
  executor_missing: z.optional(z.string()),
});

export type ServiceValues = z.infer<typeof serviceValues>;
