/** Formations that a goal starts, each by the operation `startOf` names. */
export const FORMATION_NAMES = ['crew', 'panel', 'sweep', 'chain'] as const;
export type FormationName = (typeof FORMATION_NAMES)[number];

export function isFormation(name: string): name is FormationName {
  return FORMATION_NAMES.some((formation) => formation === name);
}

/** Name of the operation that starts a formation. */
export function startOf<Name extends FormationName>(name: Name): `formation.${Name}` {
  return `formation.${name}`;
}
