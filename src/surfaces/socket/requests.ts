import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import type { JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { SocketRequest } from './protocol.js';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const texts = z.optional(z.array(z.string()));
const number = z.int().check(z.minimum(0));
const whole = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

/** Proof of a run, accepted in every request. `caller` is ignored: programs of earlier versions send one. */
const proof = { run_token: text, run: text, run_fence: z.optional(z.int()), caller: z.optional(z.unknown()) };

const amount = z.optional(z.number().check(z.minimum(0)));
const usage = z.strictObject({ cost_usd: amount, estimated_usd: amount, input_tokens: amount, output_tokens: amount });

/** Fields of each request, by its `cmd`. */
const FIELDS: Readonly<Record<string, z.core.$ZodLooseShape>> = {
  identify: { pid: z.int(), nonce: z.string(), asks: z.string() },
  operation: { name: z.string(), input: z.unknown(), request_id: text },
  graph_changed: {},
  status: {},
  agents: {},
  pause: {},
  resume: {},
  dashboard: { logout: flag },
  tick: { dry_run: flag },
  spawn: { task_id: z.string(), executor: text, model: text, timeout: text },
  kill: { agent_id: text, pid: z.optional(z.int()), force: flag },
  heartbeat: { agent_id: z.string(), fence: z.int(), bytes: z.optional(z.number()) },
  reserve_model: {
    purpose: z.string(),
    model: z.string(),
    task: text,
    prompt_bytes: number,
    time_ms: number.check(z.maximum(LIMITS.modelCallMs)),
  },
  settle_model: { reservation: z.string(), usage: z.optional(usage), free: z.optional(z.literal(true)) },
  shutdown: { force: flag, kill_agents: flag },
  create_coordinator: {
    name: text,
    tags: texts,
    roots: texts,
    max_agents: whole(LIMITS.agentsMost),
    executor: text,
    model: text,
  },
  list_coordinators: {},
  stop_coordinator: { id: number },
  archive_coordinator: { id: number },
  delete_coordinator: { id: number },
  pause_coordinator: { id: number },
  resume_coordinator: { id: number },
  user_chat: { id: z.optional(number), message: z.string() },
  reconfigure: {
    max_agents: whole(LIMITS.agentsMost),
    executor: text,
    poll_interval: whole(LIMITS.pollIntervalMostSeconds),
    model: text,
  },
};

/** Accepted values of `cmd`. */
export const SOCKET_QUESTIONS: readonly string[] = Object.keys(FIELDS);

const SCHEMAS = new Map(
  Object.entries(FIELDS).map(([cmd, fields]) => [cmd, z.strictObject({ cmd: z.literal(cmd), ...proof, ...fields })]),
);

/** Validates a request. Errors: `bad_input` for an unknown `cmd` or invalid fields. */
export function socketRequest(line: JsonObject): SocketRequest {
  const cmd = typeof line['cmd'] === 'string' ? line['cmd'] : '';
  const schema = SCHEMAS.get(cmd);
  if (!schema) throw new TroupeError('bad_input', { what: `Unknown request ${JSON.stringify(cmd.slice(0, 40))}.` });
  const parsed = schema.safeParse(line);
  if (parsed.success) return parsed.data as SocketRequest;
  const [issue] = parsed.error.issues;
  const issueText = issue ? describeIssue(explainIssue(issue, line), 'The request') : 'The request is not valid';
  throw new TroupeError('bad_input', { what: `${issueText}.` });
}
