// `token add|list|revoke`: secrets of the HTTP API for programs.

import * as z from 'zod/mini';
import { timestamp } from '#kernel/clock.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import type { AccessToken } from '#ports/access-tokens.js';
import { SCOPES } from '#ports/callers.js';

const NAME = argument('Its name', z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/)));

const tokenShape = z.object({
  name: z.string(),
  scope: z.enum(SCOPES),
  person: z.string(),
  made_at: z.string(),
  expires_at: z.string(),
  expired: z.boolean(),
});

function rowOf({ name, scope, person, made, until }: AccessToken, now: number): z.infer<typeof tokenShape> {
  return { name, scope, person, made_at: timestamp(made), expires_at: timestamp(until), expired: until <= now };
}

/** Names of the tokens that have expired. */
export async function expiredTokens({
  accessTokens,
  clock,
}: Pick<Context, 'accessTokens' | 'clock'>): Promise<string[]> {
  const now = clock.now();
  return (await accessTokens()).all().flatMap(({ name, until }) => (until <= now ? [name] : []));
}

/**
 * Makes a token that acts for the person who asks. In the calling process, so that no token can make another over HTTP,
 * and none outlives its own life that way. Errors: `token_exists`, `too_many`.
 */
export const addToken = operation({
  name: 'token.add',
  command: 'token add',
  group: 'Service',
  kind: 'write',
  where: 'caller',
  trusts: true,
  summary: 'Make a token with which a program uses the HTTP API; it is shown once',
  examples: ['troupe token add ci --scope member --expires 30d', 'troupe token add board'],
  input: z.strictObject({
    name: NAME,
    scope: option(
      'What it permits: read, work, lead, or everything you may (default: observer)',
      z.optional(z.enum(SCOPES)),
      {
        value: 'SCOPE',
      },
    ),
    expires: option('Its life (default: 30d)', z.optional(z.string()), { value: 'DURATION' }),
  }),
  output: z.extend(tokenShape, { secret: z.string() }),
  async run(context: GraphContext & MachineContext, { name, scope = 'observer', expires = '30d' }) {
    const lifeMs = parseDuration(expires);
    if (lifeMs === 0 || lifeMs > SURFACE_LIMITS.accessTokenMs)
      throw new TroupeError('bad_input', {
        what: 'A token lives at least a second and at most 366 days.',
        hint: 'Use a duration such as 12h or 30d.',
        details: { field: 'expires' },
      });
    await (await context.graph()).view(); // only a project has a service that takes it
    const now = context.clock.now();
    const token: AccessToken = { name, scope, person: context.caller.name, made: now, until: now + lifeMs };
    return { ...rowOf(token, now), secret: await (await context.accessTokens()).add(token) };
  },
});

/** Lists the tokens of this project on this machine. */
export const listTokens = operation({
  name: 'token.list',
  command: 'token list',
  group: 'Service',
  kind: 'read',
  where: 'caller',
  summary: 'List the tokens of the HTTP API, also expired ones',
  examples: ['troupe token list', 'troupe token list --json'],
  input: z.strictObject({}),
  output: z.object({ tokens: z.array(tokenShape) }),
  async run(context: MachineContext) {
    const now = context.clock.now();
    return { tokens: (await context.accessTokens()).all().map((token) => rowOf(token, now)) };
  },
});

/** Revokes a token: it is refused at once, and its event streams end. Errors: `unknown_token`. */
export const revokeToken = operation({
  name: 'token.revoke',
  command: 'token revoke',
  group: 'Service',
  kind: 'write',
  where: 'caller',
  trusts: true,
  summary: 'Revoke a token of the HTTP API at once',
  examples: ['troupe token revoke ci', 'troupe token revoke board --json'],
  input: z.strictObject({ name: NAME }),
  output: tokenShape,
  async run(context: MachineContext, { name }) {
    const token = await (await context.accessTokens()).revoke(name);
    if (token === undefined) throw new TroupeError('unknown_token', { what: `There is no token ${name}.` });
    return rowOf(token, context.clock.now());
  },
});
