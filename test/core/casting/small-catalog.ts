import { assembleCatalog, type CatalogFiles } from '#core/catalog/assemble.js';
import type { Archetype, Catalog } from '#core/catalog/catalog.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';

const base = {
  boundaries: ['Leaves other work alone.'],
  desired_outcome: 'It works.',
  default_tradeoff: 'balanced',
  default_model: 'standard',
};

function archetype(id: string, title: string, more: Partial<Archetype> = {}): Archetype {
  return {
    ...base,
    id,
    title,
    summary: `${title} of the team.`,
    domain: 'software',
    kind: 'cast',
    leads: false,
    capabilities: ['making'],
    responsibilities: ['Does the first thing.', 'Does the second thing.', 'Does the third thing.'],
    keywords: [],
    ...more,
  } as Archetype;
}

export const ARCHETYPES: readonly Archetype[] = [
  archetype('lead-architect', 'Lead Architect', {
    leads: true,
    capabilities: ['architecture', 'review'],
    keywords: ['structure'],
  }),
  archetype('core-implementer', 'Core Implementer', { keywords: ['code', 'api'], capabilities: ['coding'] }),
  archetype('quality-reviewer', 'Quality Reviewer', { domain: 'support', capabilities: ['review'] }),
  archetype('qa-engineer', 'QA Engineer', { capabilities: ['testing', 'review'], keywords: ['test'] }),
  archetype('writer', 'Writer', { domain: 'content', capabilities: ['writing'], keywords: ['text', 'article'] }),
  archetype('docs-writer', 'Documentation Writer', {
    domain: 'content',
    capabilities: ['documentation', 'api'],
    keywords: ['guide'],
  }),
  archetype('scribe', 'Scribe', { kind: 'builtin' }),
  archetype('work-monitor', 'Work Monitor', { kind: 'builtin' }),
  archetype('rai-reviewer', 'Safety Reviewer', { kind: 'builtin', capabilities: ['review'] }),
  archetype('coordinator', 'Coordinator of Work', { kind: 'builtin' }),
];

export const POOLS = [
  { name: 'The Matrix', names: ['Neo', 'Trinity', 'Morpheus', 'Tank', 'Switch', 'Apoc'] },
  { name: 'Star Wars', names: ['Luke', 'Leia', 'Han', 'Chewie', 'Lando', 'Ahsoka'] },
  { name: 'Inception', names: ['Cobb', 'Ariadne', 'Arthur', 'Eames'] },
  { name: 'Firefly', names: ['Mal', 'Zoe', 'Wash', 'Inara'] },
];

const file = (name: string, value: unknown) => ({ name, value });
const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');

/** Files of a small valid catalog; a test replaces the one to be rejected. */
export function smallFiles(): CatalogFiles {
  return {
    manifest: file('manifest.yaml', {
      version: 1,
      archetypes: ARCHETYPES.map((one) => one.id),
      groupings: ['pair'],
      universes: POOLS.map((pool) => slug(pool.name)),
      workflows: ['repository-review'],
    }),
    builtins: file('builtins.yaml', [
      { name: 'Scribe', archetype: 'scribe' },
      { name: 'Ralph', archetype: 'work-monitor' },
      { name: 'Rai', archetype: 'rai-reviewer' },
      { name: 'Coordinator', archetype: 'coordinator' },
    ]),
    lexicon: file('lexicon.yaml', {
      stop_words: ['our', 'the', 'and'],
      synonyms: { http: ['api'], interfaces: ['api'] },
      languages: {},
    }),
    signalRules: file('signal-rules.yaml', {
      rules: [
        { signal: 'content.code', archetype: 'lead-architect', reason: 'Somebody keeps the structure.' },
        { signal: 'language.typescript', archetype: 'core-implementer', reason: 'There is TypeScript.' },
        { signal: 'tests.absent', archetype: 'qa-engineer', reason: 'There are no tests.' },
        { signal: 'tests.present', archetype: 'qa-engineer', reason: 'There are tests.' },
        { signal: 'docs.absent', archetype: 'docs-writer', reason: 'There are no docs.' },
      ],
    }),
    workKinds: file('work-kinds.yaml', { kinds: [] }),
    goalExamples: file('goal-examples.txt', []),
    archetypes: ARCHETYPES.map((one) => file(`archetypes/${one.id}.yaml`, one)),
    groupings: [
      file('groupings/pair.yaml', {
        id: 'pair',
        title: 'Pair',
        description: 'Two of them.',
        archetypes: ['writer', 'qa-engineer'],
      }),
    ],
    universes: POOLS.map((pool) => file(`universes/${slug(pool.name)}.yaml`, pool)),
  };
}

export function smallCatalog(): Catalog {
  return assembleCatalog(smallFiles());
}

export const NO_SQUAD: SquadState = readSquadState(new Map());
