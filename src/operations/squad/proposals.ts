import * as z from 'zod/mini';
import { amendProposal, membersAfter } from '#core/casting/amend.js';
import { describeSignals, hasSignals, pickBySignals, withRequired } from '#core/casting/analysis.js';
import { refuseUnclear } from '#core/casting/grouping-choice.js';
import { type Proposal, proposalSchema } from '#core/casting/proposal.js';
import { resolvePicks } from '#core/casting/propose.js';
import { pickForGoal } from '#core/casting/ranking.js';
import type { Catalog } from '#core/catalog/catalog.js';
import type { ModelProvider } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import type { FilesContext, MachineContext, ModelContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { PROPOSAL_PARAMS, PROPOSAL_PATH, PROPOSALS_PATH, WISH_FIELDS } from '#operations/resource-paths.js';
import { text, texts } from '#operations/shapes.js';
import { modelInputs, proposalInputs, teamSize } from '#operations/squad/team-shapes.js';
import { type CastChoice, picksOfModel } from './ask-model.js';
import { type Choose, draft } from './draft.js';

/**
 * Returns the pending proposal. Errors: `no_proposal` if there is none, it has expired, was confirmed, or has another
 * id than requested.
 */
async function openProposal(context: Pick<Context, 'clock' | 'squad'>, id?: string): Promise<Proposal> {
  const squad = await context.squad();
  const proposal = await squad.proposal();
  if (!proposal || (id !== undefined && proposal.proposal_id !== id)) throw new TroupeError('no_proposal');
  if (Date.parse(proposal.expires_at) <= context.clock.now()) {
    throw new TroupeError('no_proposal', {
      what: 'The proposal has expired.',
      hint: 'Propose again: a proposal holds for 30 minutes.',
    });
  }
  const { history } = await squad.read();
  if (history.snapshots.some((snapshot) => snapshot.proposalId === proposal.proposal_id)) {
    throw new TroupeError('no_proposal', { what: 'The last proposal was confirmed.', hint: 'Run `troupe team show`.' });
  }
  return proposal;
}

const CHANGE = { group: 'Casting', kind: 'write', where: 'caller' } as const;

export const show = operation({
  name: 'casting.show',
  command: 'cast show',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  summary: 'Show the pending proposal',
  examples: ['troupe cast show', 'troupe cast show --json'],
  resource: [
    {
      method: 'GET',
      path: PROPOSALS_PATH,
      summary: 'The pending proposal, as a list of one or none.',
      answer: { wrap: 'proposals', none: 'no_proposal' },
    },
    { method: 'GET', path: PROPOSAL_PATH, summary: 'The proposal.', params: PROPOSAL_PARAMS },
  ],
  input: z.strictObject({ proposal_id: text }),
  output: proposalSchema,
  run: (context: TeamContext, input) => openProposal(context, input.proposal_id),
});

export const reject = operation({
  name: 'casting.reject',
  command: 'cast reject',
  ...CHANGE,
  summary: 'Discard the proposal',
  examples: ['troupe cast reject', 'troupe cast reject --json'],
  resource: [
    { method: 'DELETE', path: PROPOSAL_PATH, summary: 'Discards the proposal.', status: 204, params: PROPOSAL_PARAMS },
  ],
  input: z.strictObject({ proposal_id: text }),
  output: z.object({ proposal_id: z.string() }),
  async run(context: TeamContext, input) {
    const { proposal_id } = await openProposal(context, input.proposal_id);
    const squad = await context.squad();
    // The proposal may have been replaced in the meantime; the new one was not rejected.
    if (!(await squad.dropProposal(proposal_id))) throw new TroupeError('proposal_superseded');
    return { proposal_id };
  },
});

/** Proposes exactly the named archetypes, in order; an archetype named twice is cast twice. */
export const manual = operation({
  name: 'casting.manual',
  command: 'cast manual',
  ...CHANGE,
  instead: 'cast propose --archetypes',
  summary: 'Propose exactly the archetypes you name',
  examples: [
    'troupe cast propose --archetypes writer,editor',
    'troupe cast propose --archetypes qa-engineer --intent augment',
  ],
  resource: [
    {
      method: 'POST',
      path: PROPOSALS_PATH,
      summary: 'Proposes a team of these archetypes: `mode` manual.',
      status: 201,
      when: { field: 'mode', value: 'manual' },
      fields: [['archetype_ids', 'archetypes'], ['role_ids', 'archetypes'], ...WISH_FIELDS],
    },
  ],
  input: z.strictObject({
    archetypes: argument('Ids from `catalog show archetypes`', z.array(z.string())),
    ...proposalInputs,
  }),
  output: proposalSchema,
  run: (context: WorkContext & MachineContext, { archetypes, ...wish }) =>
    draft(context, wish, () => ({
      picks: archetypes.map((archetypeId) => ({ archetypeId, reason: 'Named by you.' })),
      warnings: [],
      mode: 'manual',
      method: 'catalog',
      rationale: 'Manually chosen archetypes.',
    })),
});

/**
 * Proposes a team for a goal: a model chooses if one is configured, otherwise archetypes are ranked by the words.
 * Errors: `goal_unclear`, with groupings to choose from, if the words are not clear enough.
 */
export const goal = operation({
  name: 'casting.goal',
  command: 'cast goal',
  ...CHANGE,
  asks: { purpose: 'casting', unless: [['offline', true]], without: '--offline' },
  instead: 'cast propose',
  summary: 'Propose a team for a goal',
  examples: [
    'troupe cast propose "document our public HTTP interface"',
    'troupe cast propose "launch a podcast" --size 3',
  ],
  resource: [
    {
      method: 'POST',
      path: PROPOSALS_PATH,
      summary: 'Proposes a team for a goal: `mode` free_text.',
      status: 201,
      when: { field: 'mode', value: 'free_text' },
      fields: ['goal', ['team_size', 'size'], 'offline', ...WISH_FIELDS],
    },
  ],
  input: z.strictObject({
    goal: argument('What the team is for', z.string()),
    size: option('How many members, 1 to 20', teamSize, { value: 'N' }),
    ...proposalInputs,
    ...modelInputs,
  }),
  output: proposalSchema,
  async run(
    context: WorkContext & ModelContext & MachineContext,
    { goal: words, size, offline, provider, model, ...wish },
  ) {
    const trimmed = words.trim();
    if (trimmed === '' || [...trimmed].length > TEAM_LIMITS.goalCharacters) {
      throw new TroupeError('bad_input', {
        what:
          trimmed === '' ? 'The goal is empty.' : `The goal is longer than ${TEAM_LIMITS.goalCharacters} characters.`,
        hint: 'Describe in a sentence or two what the team is for.',
      });
    }
    return await draft(context, wish, async (catalog, records) => {
      const topic = { label: 'goal', text: trimmed } as const;
      const choice = await picksOfModel(context, catalog, topic, { offline, provider, model, size });
      if (choice.modelPicks) return { ...choice.modelPicks, mode: 'free_text', method: 'model' };
      const ranked =
        pickForGoal(catalog, trimmed, { size, records }) ?? refuseUnclear(catalog, trimmed, choice.warnings);
      const warnings = [...choice.warnings, ...ranked.warnings];
      return { ...ranked, warnings, mode: 'free_text', method: 'lexical', rationale: trimmed };
    });
  },
});

/** Proposes a grouping of the catalog. */
export const scenario = operation({
  name: 'casting.scenario',
  command: 'cast scenario',
  ...CHANGE,
  instead: 'cast propose --scenario',
  summary: 'Propose a ready-made group',
  examples: [
    'troupe cast propose --scenario quick-software-development',
    'troupe cast propose --scenario data-insight --universe Firefly',
  ],
  resource: [
    {
      method: 'POST',
      path: PROPOSALS_PATH,
      summary: 'Proposes a team by a scenario: `mode` scenario.',
      status: 201,
      when: { field: 'mode', value: 'scenario' },
      fields: [['scenario_id', 'scenario'], ['template_id', 'scenario'], ...WISH_FIELDS],
    },
  ],
  input: z.strictObject({ scenario: argument('A group from `catalog show groupings`', z.string()), ...proposalInputs }),
  output: proposalSchema,
  run: (context: WorkContext & MachineContext, { scenario: id, ...wish }) =>
    draft(context, wish, (catalog) => {
      const grouping = catalog.groupings.get(id);
      if (!grouping) refuse(catalog, id);
      return {
        picks: grouping.archetypes.map((archetypeId) => ({ archetypeId, reason: `Part of ${grouping.title}.` })),
        warnings: [],
        mode: 'scenario',
        method: 'catalog',
        rationale: grouping.description,
      };
    }),
});

function refuse(catalog: Catalog, id: string): never {
  const ids = [...catalog.groupings.keys()];
  const suggestion = didYouMean(id, ids);
  throw new TroupeError('unknown_grouping', {
    what: `The catalog has no scenario ${JSON.stringify(cut(inert(id), 60))}.`,
    hint: suggestion === undefined ? `Name one of: ${ids.join(', ')}.` : `Did you mean ${suggestion}?`,
    details: { scenarios: ids },
  });
}

/** Lists the groupings in catalog order. */
export const scenarios = operation({
  name: 'casting.scenarios',
  command: 'cast scenarios',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  instead: 'catalog show groupings',
  summary: 'List the ready-made groups',
  examples: ['troupe cast scenarios', 'troupe cast scenarios --json'],
  input: z.strictObject({}),
  output: z.object({
    scenarios: z.array(
      z.object({ id: z.string(), title: z.string(), description: z.string(), archetypes: z.array(z.string()) }),
    ),
  }),
  async run(context: TeamContext) {
    const catalog = await (await context.catalog()).load();
    return {
      scenarios: [...catalog.groupings].map(([id, { title, description, archetypes }]) => ({
        id,
        title,
        description,
        archetypes: [...archetypes],
      })),
    };
  },
});

/**
 * Proposes a team based on a scan of the project; a configured model receives the scan only as terms of closed tables.
 * `required` archetypes are always included.
 */
export const analyze = operation({
  name: 'casting.analyze',
  command: 'cast propose',
  ...CHANGE,
  asks: { purpose: 'casting', unless: [['offline', true]], without: '--offline' },
  summary: 'Analyze this project and propose a team for it',
  examples: ['troupe cast propose', 'troupe cast propose --size 4 --universe Dune'],
  resource: [
    {
      method: 'POST',
      path: PROPOSALS_PATH,
      summary: 'Proposes a team for the repository: `mode` analysis.',
      status: 201,
      when: { field: 'mode', value: 'analysis' },
      fields: [['team_size', 'size'], 'offline', ...WISH_FIELDS],
    },
  ],
  input: z.strictObject({
    size: option('How many members, 1 to 20', teamSize, { value: 'N' }),
    ...proposalInputs,
    ...modelInputs,
    required: option('An archetype that must be on the team', texts, { flag: 'require', value: 'ID' }),
  }),
  output: proposalSchema,
  run: async (context: Context, { size, required = [], offline, provider, model, ...wish }) =>
    await draft(context, wish, await byRepository(context, { size, required, offline, provider, model })),
});

interface RepositoryWish {
  readonly size?: number | undefined;
  readonly required: readonly string[];
  readonly offline?: boolean | undefined;
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
}

/** Returns a function that chooses by the scan of the repository: a model if one is configured, otherwise rules. */
export async function byRepository(
  context: FilesContext & ModelContext & MachineContext,
  { size, required, offline, provider, model }: RepositoryWish,
): Promise<Choose> {
  const scanner = await context.scanner();
  const { signals } = await scanner.scan(context.projectFolder);
  return async (catalog, records) => {
    if (required.length > 0)
      resolvePicks(
        catalog,
        required.map((archetypeId) => ({ archetypeId })),
      );
    const summary = cut(describeSignals(signals), TEAM_LIMITS.analysisSummaryCharacters);
    // Without signals neither a model nor rules have a basis for a choice: the general team is proposed.
    const choice: CastChoice = hasSignals(signals)
      ? await picksOfModel(context, catalog, { label: 'repository', text: summary }, { offline, provider, model, size })
      : { warnings: [] };
    if (choice.modelPicks) {
      const sizeLimit = size ?? TEAM_LIMITS.teamSizeModelMost;
      const picks = withRequired(catalog, choice.modelPicks.picks, required, sizeLimit);
      return { ...choice.modelPicks, picks, mode: 'analysis', method: 'model' };
    }
    const picks = pickBySignals(catalog, signals, { size, required }, records);
    const warnings = [...choice.warnings, ...picks.warnings];
    return { ...picks, warnings, mode: 'analysis', method: 'rules', rationale: summary };
  };
}

const memberShape = z.strictObject({ archetype_id: z.string(), proposed_name: text, charter_markdown: text });

/**
 * Changes the pending proposal: replaces all members, or applies the changes of the command line. Members are resolved
 * and charter templates read before the lock is taken.
 */
export const amend = operation({
  name: 'casting.amend',
  command: 'cast amend',
  ...CHANGE,
  summary: 'Change the members, names or universe of the proposal',
  examples: [
    'troupe cast amend --add qa-engineer --drop Neo',
    'troupe cast amend --name Trinity=Morpheus --universe "The Matrix"',
  ],
  resource: [
    {
      method: 'PATCH',
      path: PROPOSAL_PATH,
      summary: 'Changes the members, names or universe of the proposal.',
      params: PROPOSAL_PARAMS,
      fields: ['universe', 'members', 'revision'],
    },
  ],
  input: z.strictObject({
    add: option('An archetype to add', texts, { value: 'ID' }),
    drop: option('A member to remove', texts, { value: 'NAME' }),
    name: option('Another name: a free one of the universe, or that of a member', texts, { value: 'OLD=NEW' }),
    universe: option('Another universe, for all names', text, { value: 'NAME' }),
    revision: option('Only if the proposal is still at this revision', z.optional(z.number()), { value: 'N' }),
    members: z.optional(z.array(memberShape).check(z.maxLength(TEAM_LIMITS.membersAtOnce))),
    proposal_id: text,
  }),
  output: proposalSchema,
  async run(context: TeamContext, { universe, members, revision, proposal_id: id, ...words }) {
    const typed = [words.add, words.drop, words.name].some((list) => list !== undefined);
    if (universe === undefined && members === undefined && !typed) {
      throw new TroupeError('bad_input', {
        what: 'There is nothing to change.',
        hint: 'Use --add, --drop, --name or --universe.',
      });
    }
    if (members !== undefined && typed)
      throw new TroupeError('bad_input', { what: 'Give either all members or the changes, not both.' });
    const [source, squad, expected] = await Promise.all([
      context.catalog(),
      context.squad(),
      openProposal(context, id),
    ]);
    const requested = typed ? membersAfter(expected, words) : members;
    const catalog = await source.load();
    const templates = await source.charterTemplates(
      (requested ?? expected.members.map((member) => ({ archetype_id: member.role.id }))).map(
        (line) => line.archetype_id,
      ),
    );
    return await squad.amendProposal((state, proposal) => {
      if (proposal?.proposal_id !== expected.proposal_id)
        throw new TroupeError(proposal ? 'proposal_superseded' : 'no_proposal');
      // Command-line changes refer to the revision that was displayed and apply to no other.
      const decidedOn = revision ?? (typed ? expected.revision : undefined);
      const now = context.clock.now();
      return amendProposal({
        proposal,
        state,
        catalog,
        templates,
        universe,
        members: requested,
        revision: decidedOn,
        now,
      });
    });
  },
});
