/** Limits of blueprints in answers of a model. Separate, because common commands do not need them. */
export const BLUEPRINT_LIMITS = {
  idCharacters: 64,
  /** Maximum ids named when entries of an answer are dropped. */
  idsNamed: 5,
  nameCharacters: 100,
  ownIdCharacters: 40,
  descriptionCharacters: 2_000,
  roleTitleCharacters: 300,
  workflows: 20,
} as const;
