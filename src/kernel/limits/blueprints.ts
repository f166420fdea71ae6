/** Bounds of blueprints that a model answers, apart from `LIMITS`: commands of every day need none of them. */
export const BLUEPRINT_LIMITS = {
  idCharacters: 64,
  /** Ids named when they are dropped from an answer. */
  idsNamed: 5,
  nameCharacters: 100,
  ownIdCharacters: 40,
  descriptionCharacters: 2_000,
  roleTitleCharacters: 300,
  workflows: 20,
} as const;
