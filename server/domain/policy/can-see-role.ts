/** Returns whether the caller sees the role: only roles of the same or a lower rank (0 is the highest). */
export const canSeeRole = (own: { readonly rank: number } | undefined, role: { readonly rank: number }): boolean =>
  own !== undefined && role.rank >= own.rank;
