/**
 * The files of a squad that casting looks at: path relative to the project → text. What is not there is missing. A folder
 * that counts by being there stands in it too, with a `/` at its end and no text.
 */
export type SquadTexts = ReadonlyMap<string, string>;
