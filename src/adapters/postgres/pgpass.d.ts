/** The package has no declarations. */
declare module 'pgpass' {
  /** Password of the first matching line; undefined if none matches or (with a warning) others may read the file. */
  export default function find(
    of: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
    answer: (password: string | undefined) => void,
  ): void;
}
