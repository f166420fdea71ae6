/** The package has no declarations. */
declare module 'pgpass' {
  /** The password of the first line of the file that fits; undefined where none does or others may read the file, which it warns of. */
  export default function find(
    of: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
    answer: (password: string | undefined) => void,
  ): void;
}
