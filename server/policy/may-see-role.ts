/** A person sees the roles whose rank is at least their own (0 is the highest). */
export const maySeeRole = (own: { readonly rank: number } | undefined, role: { readonly rank: number }): boolean =>
  own !== undefined && role.rank >= own.rank;
