import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';
import { CORE_SECTIONS } from '#core/lanes/core-file.js';
import { differenceText } from '#core/lanes/graduation.js';
import {
  IDENTITY_SECTIONS,
  type IdentityProposal,
  isStale,
  PROPOSAL_STATES,
  proposalOf,
  withProposal,
} from '#core/lanes/identity.js';
import { roleName } from '#core/lanes/role-name.js';
import { coreFile } from '#core/lanes/role-paths.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { visible } from '#kernel/fence.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { decided, finishAcceptance, proposalsIn, sourceOf } from './acceptance.js';
import { personsOnly } from './persons-only.js';
import { settle } from './unfinished.js';

const proposalShape = z.object({
  id: z.string(),
  role: z.string(),
  section: z.enum(IDENTITY_SECTIONS),
  state: z.enum(PROPOSAL_STATES),
  by: z.string(),
  at: z.string(),
  why: z.string(),
  text: z.string(),
  /** The lines that go and those that come. */
  difference: z.string(),
  /** The section was changed since: it cannot be accepted any more. */
  stale: z.boolean(),
});

function shown(proposal: IdentityProposal, source: string | undefined): z.infer<typeof proposalShape> {
  const { id, role, section, state, by, at, why, text: words, was } = proposal;
  const difference = differenceText([{ file: coreFile(role), before: was, after: words }]);
  const stale = source === undefined || isStale(proposal, source);
  return { id, role, section, state, by, at, why, text: words, difference, stale };
}

/** What waits for a person to apply or reject it. */
export const rolesProposals = operation({
  name: 'roles.proposals',
  input: z.strictObject({}),
  output: z.object({ proposals: z.array(proposalShape), warnings: z.readonly(z.array(z.string())) }),
  async run(context) {
    const { all, warnings } = await proposalsIn(context);
    const { texts } = await (await context.roleFiles()).read();
    const open = all.filter(({ state }) => state === 'open');
    return { proposals: open.map((one) => shown(one, texts.get(coreFile(one.role)))), warnings };
  },
});

/** Files another text for a section of a core role; also a run may. Nothing changes before a person accepts it. */
export const rolesPropose = operation({
  name: 'roles.propose',
  input: z.strictObject({ role: z.string(), section: z.enum(IDENTITY_SECTIONS), text: z.string(), why: text }),
  output: proposalShape,
  async run(context, input) {
    await context.graph(); // what is kept beside it lies in its folder
    const role = roleName(input.role);
    const source = sourceOf((await (await context.roleFiles()).read()).texts, role);
    const why = cut(visible(redact(input.why ?? '')).trim(), ROLE_PROMPT_LIMITS.lessonLineBytes);
    const [by, at] = [context.caller.name, timestamp(context.clock.now())];
    const proposal = proposalOf({ role, section: input.section, text: input.text, why, by, at }, source);
    return await (await context.roleRecords()).change(async (underWay, setDown) => {
      await settle(context, underWay, setDown);
      const { all } = await proposalsIn(context);
      const same = all.find(({ id, state }) => id === proposal.id && state === 'open');
      if (same) return shown(same, source);
      if (all.filter(({ state }) => state === 'open').length >= ROLE_PROMPT_LIMITS.openProposals)
        throw new TroupeError('too_many', {
          what: `${ROLE_PROMPT_LIMITS.openProposals} proposals are already pending.`,
          hint: 'Run `troupe roles proposals`.',
        });
      await (await context.roleRecords()).keepProposal(proposal.id, recordText({ ...proposal }));
      return shown(proposal, source);
    });
  },
});

const decidedShape = z.object({
  id: z.string(),
  role: z.string(),
  section: z.enum(IDENTITY_SECTIONS),
  state: z.enum(PROPOSAL_STATES),
});

/**
 * Applies a proposal. First the difference is shown (`confirmation_needed`); its id names the text, so who says `yes` agrees to that
 * one. Errors: `user_only` for runs, `proposal_stale` when the section was changed meanwhile: then it stays open.
 */
export const rolesAccept = operation({
  name: 'roles.accept',
  input: z.strictObject({ id: z.string(), yes: z.optional(z.boolean()) }),
  output: decidedShape,
  async run(context, { id, yes }) {
    personsOnly(context, 'Changing a role');
    await context.graph();
    return await (await context.roleRecords()).change(async (underWay, setDown) => {
      await settle(context, underWay, setDown);
      const proposal = await openProposal(context, id);
      const { texts } = await (await context.roleFiles()).read();
      const before = sourceOf(texts, proposal.role);
      const after = withProposal(proposal, before);
      if (yes !== true) throw askFirst(proposal, before, after);
      const acceptance = { kind: 'acceptance', proposal: proposal.id, by: context.caller.name } as const;
      await setDown(acceptance);
      try {
        await finishAcceptance(context, acceptance);
      } finally {
        await setDown(undefined);
      }
      return { id: proposal.id, role: proposal.role, section: proposal.section, state: 'accepted' as const };
    });
  },
});

function askFirst({ id, role, section }: IdentityProposal, before: string, after: string): TroupeError {
  return new TroupeError('confirmation_needed', {
    what: `${CORE_SECTIONS[section]} of ${role} would be replaced.`,
    hint: `Review the difference, then run \`troupe roles accept ${id} -y\`.`,
    details: { shown: differenceText([{ file: coreFile(role), before, after }]) },
  });
}

/** Leaves a proposal aside. Errors: `user_only` for runs. */
export const rolesReject = operation({
  name: 'roles.reject',
  input: z.strictObject({ id: z.string() }),
  output: decidedShape,
  async run(context, { id }) {
    personsOnly(context, 'Changing a role');
    await context.graph();
    return await (await context.roleRecords()).change(async (underWay, setDown) => {
      await settle(context, underWay, setDown);
      const proposal = await openProposal(context, id);
      await decided(context, proposal, 'rejected', context.caller.name);
      return { id: proposal.id, role: proposal.role, section: proposal.section, state: 'rejected' as const };
    });
  },
});

async function openProposal(context: Pick<Context, 'roleRecords'>, word: string): Promise<IdentityProposal> {
  const open = (await proposalsIn(context)).all.filter(({ state }) => state === 'open');
  const matches = open.filter(({ id }) => id.startsWith(word));
  const [only] = open.filter(({ id }) => id === word).concat(matches.length === 1 ? matches : []);
  if (only) return only;
  throw new TroupeError('not_found', {
    what: `There is no pending proposal ${inert(word).slice(0, 80)}.`,
    hint: 'Run `troupe roles proposals`.',
  });
}
