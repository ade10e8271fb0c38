import type { ProblemCode } from '../../contract/problem.ts';

interface Ranked {
  readonly id: string;
  readonly rank: number;
}

/** One decides about ranks below one's own (0 is the highest). The highest decide about their equals too, as nobody else could. */
export const mayDecideAboutRank = (own: { readonly rank: number }, rank: number): boolean =>
  rank > own.rank || own.rank === 0;

/** Nobody changes the role that they hold themself, nor one of a rank that is not below theirs. Null: they may. */
export const whyNotChangeRole = (own: Ranked, role: Ranked): ProblemCode | null => {
  if (role.id === own.id) return 'own-role';
  return mayDecideAboutRank(own, role.rank) ? null : 'own-rank';
};
