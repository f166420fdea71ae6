import * as z from 'zod/mini';

const identifier = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'use a-z, 0-9 and -, at most 64 characters'));
const line = z.string().check(z.minLength(1), z.maxLength(300), z.regex(/^[^\r\n]*$/, 'must be one line'));
const paragraph = z.string().check(z.minLength(1), z.maxLength(2_000));

/** Review policy: the gates before the end of a workflow. `rai` is an alias of `safety`. */
export const reviewPolicySchema = z.strictObject({
  id: identifier,
  title: z.optional(line),
  description: z.optional(paragraph),
  steps: z.array(z.enum(['safety', 'rai', 'peer-review', 'rubberduck', 'human-review'])).check(z.maxLength(10)),
});
export type ReviewPolicy = z.infer<typeof reviewPolicySchema>;

/** Sandbox profile: permissions of runs, regardless of their tasks. A profile can only remove permissions. */
export const sandboxProfileSchema = z.strictObject({
  id: identifier,
  title: line,
  description: paragraph,
  /** `approval`: a person must approve each command. */
  shell: z.enum(['allow', 'approval', 'deny']),
  write: z.boolean(),
  network: z.boolean(),
  output_bytes: z.int().check(z.gte(1_024), z.lte(67_108_864)),
  redact_secrets: z.boolean(),
});
export type SandboxProfile = z.infer<typeof sandboxProfileSchema>;

/** Blueprint: a team, its workflows and its rules, as the start of a project. */
export const blueprintSchema = z.strictObject({
  id: identifier,
  name: line,
  description: paragraph,
  roster: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50)),
  workflows: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(20)),
  review_policy: z.string().check(z.maxLength(64)),
  sandbox_profile: z.string().check(z.maxLength(64)),
  bespoke_roles: z.optional(
    z
      .array(
        z.strictObject({
          id: z.string().check(z.maxLength(64)),
          title: z.string().check(z.maxLength(300)),
          charter: z.string().check(z.maxLength(20_000)),
        }),
      )
      .check(z.maxLength(20)),
  ),
  /** Included workflow, whose id must be listed in `workflows`; validated by `parseDraft`. */
  draft: z.optional(z.looseObject({ id: identifier })),
});
export type Blueprint = z.infer<typeof blueprintSchema>;
