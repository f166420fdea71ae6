import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';
import { CORE_SECTIONS } from '#core/roles/core-file.js';
import { differenceText } from '#core/roles/graduation.js';
import {
  IDENTITY_SECTIONS,
  type IdentityProposal,
  isStale,
  PROPOSAL_STATES,
  proposalOf,
  withProposal,
} from '#core/roles/identity.js';
import { roleName } from '#core/roles/role-name.js';
import { coreFile } from '#core/roles/role-paths.js';
import { IDENTITY_WRITER } from '#core/roles/writers.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { visible } from '#kernel/fence.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import type { PresentRoles, RoleTexts } from '#ports/role-files.js';
import { decisionOf, readableProposals, sourceOf } from './acceptance.js';
import { changeRoles } from './change-roles.js';
import { refuseTeachingRun } from './persons-only.js';

const proposalShape = z.object({
  id: z.string(),
  role: z.string(),
  section: z.enum(IDENTITY_SECTIONS),
  state: z.enum(PROPOSAL_STATES),
  by: z.string(),
  at: z.string(),
  why: z.string(),
  text: z.string(),
  /** Removed and added lines. */
  difference: z.string(),
  /** Whether the section was changed since, which prevents acceptance. */
  stale: z.boolean(),
});

function shown(proposal: IdentityProposal, source: string | undefined): z.infer<typeof proposalShape> {
  const { id, role, section, state, by, at, why, text: words, was } = proposal;
  const difference = differenceText([{ file: coreFile(role), before: was, after: words }]);
  const stale = source === undefined || isStale(proposal, source);
  return { id, role, section, state, by, at, why, text: words, difference, stale };
}

/** Proposals that a person has to decide about. */
export const rolesProposals = operation({
  name: 'roles.proposals',
  command: 'roles proposals',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  summary: 'List the proposed role changes that wait for you',
  examples: ['troupe roles proposals', 'troupe roles proposals --json'],
  input: z.strictObject({}),
  output: z.object({ proposals: z.array(proposalShape), warnings: z.readonly(z.array(z.string())) }),
  async run(context: TeamContext) {
    const files = await context.roleFiles();
    const { texts } = await files.read();
    const { all, warnings } = readableProposals(await files.proposals());
    const open = all.filter(({ state }) => state === 'open');
    return { proposals: open.map((one) => shown(one, texts.get(coreFile(one.role)))), warnings };
  },
});

/**
 * Proposes another text for a section of a core role; also allowed for runs. Nothing changes before a person accepts
 * it.
 */
export const rolesPropose = operation({
  name: 'roles.propose',
  command: 'roles propose',
  group: 'Roles',
  kind: 'write',
  forRuns: 'any',
  summary: 'Propose a new charter, occasion or body for a role',
  examples: [
    'troupe roles propose qa "Checks every criterion with evidence." --section charter --why "verdicts without evidence came back"',
    'troupe roles propose qa "before a release" --section when-to-use',
  ],
  input: z.strictObject({
    role: argument('The role', z.string()),
    text: argument('The new text of the section', z.string()),
    section: option('The section to change', z.enum(IDENTITY_SECTIONS), { value: 'S' }),
    why: option('The reason for the change', text, { value: 'TEXT' }),
  }),
  output: proposalShape,
  async run(context: WorkContext, input) {
    await context.graph(); // proposals are stored in the folder of the graph
    const role = roleName(input.role);
    const why = cut(visible(redact(input.why ?? '')).trim(), ROLE_PROMPT_LIMITS.lessonLineBytes);
    const [by, at] = [context.caller.name, timestamp(context.clock.now())];
    const { result } = await changeRoles(context, IDENTITY_WRITER, context.request, async (now) => {
      const source = sourceOf(now.texts, role);
      const proposal = proposalOf({ role, section: input.section, text: input.text, why, by, at }, source);
      const open = await openProposals(now);
      const same = open.find(({ id }) => id === proposal.id);
      if (same) return { events: [], result: shown(same, source) };
      if (open.length >= ROLE_PROMPT_LIMITS.openProposals)
        throw new TroupeError('too_many', {
          what: `${ROLE_PROMPT_LIMITS.openProposals} proposals are already pending.`,
          hint: 'Run `troupe roles proposals`.',
        });
      const proposals = new Map([[proposal.id, recordText({ ...proposal })]]);
      return { proposals, events: [], result: shown(proposal, source) };
    });
    return result;
  },
});

const decidedShape = z.object({
  id: z.string(),
  role: z.string(),
  section: z.enum(IDENTITY_SECTIONS),
  state: z.enum(PROPOSAL_STATES),
});

/**
 * Applies a proposal. Without `yes`, the difference is shown (`confirmation_needed`); the id identifies the text, so
 * the confirmation applies to exactly that. Errors: `user_only` for runs, `proposal_stale` if the section was changed
 * meanwhile: then it stays open.
 */
export const rolesAccept = operation({
  name: 'roles.accept',
  command: 'roles accept',
  group: 'Roles',
  kind: 'write',
  forRuns: 'any',
  instead: 'roles proposals --accept',
  summary: 'Apply a proposed role change; shows the difference first',
  examples: [
    'troupe roles proposals qa-charter-4f0c21d9 --accept',
    'troupe roles proposals qa-charter-4f0c21d9 --accept -y',
  ],
  input: z.strictObject({
    id: argument('The proposal: id or id prefix', z.string()),
    yes: option('Do not ask', z.optional(z.boolean()), { short: 'y' }),
  }),
  output: decidedShape,
  async run(context: WorkContext, { id, yes }) {
    return await decide(context, id, 'accepted', (proposal, { texts }) => {
      const before = sourceOf(texts, proposal.role);
      const after = withProposal(proposal, before);
      if (yes !== true) throw askFirst(proposal, before, after);
      return new Map([[coreFile(proposal.role), after]]);
    });
  },
});

function askFirst({ id, role, section }: IdentityProposal, before: string, after: string): TroupeError {
  return new TroupeError('confirmation_needed', {
    what: `${CORE_SECTIONS[section]} of ${role} would be replaced.`,
    hint: `Review the difference, then run \`troupe roles proposals ${id} --accept -y\`.`,
    details: { shown: differenceText([{ file: coreFile(role), before, after }]) },
  });
}

/** Rejects a proposal. Errors: `user_only` for runs. */
export const rolesReject = operation({
  name: 'roles.reject',
  command: 'roles reject',
  group: 'Roles',
  kind: 'write',
  forRuns: 'any',
  instead: 'roles proposals --reject',
  summary: 'Reject a proposed role change',
  examples: [
    'troupe roles proposals qa-charter-4f0c21d9 --reject',
    'troupe roles proposals qa-charter-4f0c21d9 --reject --json',
  ],
  input: z.strictObject({ id: argument('The proposal: id or id prefix', z.string()) }),
  output: decidedShape,
  async run(context: WorkContext, { id }) {
    return await decide(context, id, 'rejected', () => undefined);
  },
});

/** Decides an open proposal and writes the texts this changes. */
async function decide<State extends 'accepted' | 'rejected'>(
  context: WorkContext,
  id: string,
  state: State,
  textsAfter: (proposal: IdentityProposal, now: PresentRoles) => RoleTexts | undefined,
) {
  refuseTeachingRun(context, 'Changing a role');
  await context.graph();
  const { result } = await changeRoles(context, IDENTITY_WRITER, context.request, async (now) => {
    const proposal = await openProposal(now, id);
    const texts = textsAfter(proposal, now);
    const decision = decisionOf(proposal, state, { by: context.caller.name, now: context.clock.now() });
    const { role, section } = proposal;
    return { ...decision, ...(texts && { texts }), result: { id: proposal.id, role, section, state } };
  });
  return result;
}

async function openProposals({ proposals }: PresentRoles): Promise<IdentityProposal[]> {
  return readableProposals(await proposals()).all.filter(({ state }) => state === 'open');
}

async function openProposal(now: PresentRoles, word: string): Promise<IdentityProposal> {
  const open = await openProposals(now);
  const matches = open.filter(({ id }) => id.startsWith(word));
  const [only] = open.filter(({ id }) => id === word).concat(matches.length === 1 ? matches : []);
  if (only) return only;
  throw new TroupeError('not_found', {
    what: `There is no pending proposal ${inert(word).slice(0, 80)}.`,
    hint: 'Run `troupe roles proposals`.',
  });
}
