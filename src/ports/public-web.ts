/**
 * Texts from the public internet. Only https, only public addresses, and the address that was looked at is the one that is
 * asked, also after each redirect; time and size are bounded. Errors: `unsafe_url`, `fetch_failed`.
 */
export interface PublicWeb {
  /** `hosts`: no others may be asked; undefined when any may. */
  text(
    url: string,
    options: { readonly most: number; readonly hosts?: readonly string[] | undefined },
  ): Promise<string>;
}
