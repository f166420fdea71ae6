import { refuseWrite } from '#core/lanes/judge-write.js';
import type { RoleWriter } from '#core/lanes/writers.js';
import type { RoleChange, RoleFiles, RoleFolder, RoleTexts } from '#ports/role-files.js';

/** Role files that lie nowhere; `texts` is all there is, and a test may change it. */
export class RolesInMemory implements RoleFiles {
  readonly texts: Map<string, string>;

  constructor(texts: Iterable<readonly [file: string, text: string]> = []) {
    this.texts = new Map(texts);
  }

  async read(): Promise<RoleFolder> {
    return { texts: new Map(this.texts), problems: [] };
  }

  async write<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result> {
    const { texts, result } = change(new Map(this.texts));
    for (const [file, text] of texts) refuseWrite(writer, file, this.texts.get(file), text);
    for (const [file, text] of texts) this.texts.set(file, text);
    return result;
  }

  writeUnlessBusy<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result> {
    return this.write(writer, change);
  }
}
