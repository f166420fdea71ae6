import * as z from 'zod/mini';

/** Progress of an attempt. Unknown numbers are null. */
export const checkpointShape = z.object({
  task_id: z.string(),
  /** The run or person that recorded it. */
  agent_id: z.string(),
  timestamp: z.string(),
  type: z.enum(['explicit', 'auto']),
  summary: z.string(),
  files_modified: z.readonly(z.array(z.string())),
  artifacts_registered: z.readonly(z.array(z.string())),
  /** Length of the run's output at that time, in bytes. */
  stream_offset: z.nullable(z.number()),
  turn_count: z.nullable(z.number()),
  token_usage: z.nullable(z.record(z.string(), z.unknown())),
});
export type Checkpoint = z.infer<typeof checkpointShape>;
