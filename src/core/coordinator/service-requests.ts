import * as z from 'zod/mini';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const count = z.int().check(z.minimum(0));
const amount = z.exactOptional(z.number().check(z.minimum(0)));
const usage = z.strictObject({ cost_usd: amount, estimated_usd: amount, input_tokens: amount, output_tokens: amount });

/**
 * Requests to the service itself, in addition to operations, at the socket and over HTTP: their fields, and who may make
 * them. As in the tables of operations, a write without `forRuns` is only for people.
 */
export const SERVICE_REQUESTS = {
  graph_changed: { command: 'service status', kind: 'read', fields: {} },
  heartbeat: {
    command: 'agents',
    kind: 'write',
    forRuns: 'own',
    fields: { agent_id: z.string(), fence: z.int(), bytes: z.optional(z.number()) },
  },
  // A run whose command asks a model spends within the same budget as others.
  reserve_model: {
    command: 'spend',
    kind: 'write',
    forRuns: 'any',
    fields: {
      purpose: z.string(),
      model: z.string(),
      task: text,
      prompt_bytes: count,
      time_ms: count.check(z.maximum(TEAM_LIMITS.modelCallMs)),
    },
  },
  settle_model: {
    command: 'spend',
    kind: 'write',
    forRuns: 'any',
    fields: { reservation: z.string(), usage: z.optional(usage), free: z.optional(z.literal(true)) },
  },
  tick: { command: 'service tick', kind: 'write', fields: { dry_run: flag } },
  dashboard: { command: 'dashboard', kind: 'write', fields: { logout: flag } },
} as const;

/** Requests of the original protocol for what operations do: the operation, whose fields they have. */
export const OPERATION_REQUESTS = {
  agents: 'agent.list',
  kill: 'agent.kill',
  spawn: 'agent.spawn',
  status: 'service.status',
  pause: 'service.pause',
  resume: 'service.resume',
  reconfigure: 'service.reload',
  shutdown: 'service.stop',
  create_coordinator: 'session.create',
  list_coordinators: 'session.list',
  stop_coordinator: 'session.change',
  archive_coordinator: 'session.change',
  delete_coordinator: 'session.change',
  pause_coordinator: 'session.change',
  resume_coordinator: 'session.change',
  user_chat: 'session.chat',
} as const;

type Requests = typeof SERVICE_REQUESTS;
type RequestOf<Name extends keyof Requests> = Requests[Name]['fields'] extends infer Fields extends z.core.$ZodShape
  ? Readonly<z.infer<z.ZodMiniObject<Fields & { readonly cmd: z.ZodMiniLiteral<Name> }>>>
  : never;

/** A request of the original protocol for an operation. */
export interface AliasRequest {
  readonly cmd: keyof typeof OPERATION_REQUESTS;
  readonly [field: string]: unknown;
}

/** A request to the service itself. */
export type ServiceRequest = { [Name in keyof Requests]: RequestOf<Name> }[keyof Requests] | AliasRequest;
