/** The forms of picture that a program outside has to draw. */
export type DrawnFormat = 'png' | 'svg';

/** Pictures as files of the person who asked. Paths are meant as typed: from the folder the command was given in. */
export interface PictureFiles {
  /** Writes a text; answers the absolute path. Whatever was there before is replaced as a whole, or stays as it was. */
  write(file: string, text: string): Promise<string>;
  /** Has a graph in the language of Graphviz drawn and writes that. `dot_missing` where nobody can draw. */
  draw(file: string, dot: string, format: DrawnFormat): Promise<string>;
}
