import type { Study } from '../../../../contract/studies.ts';

interface ListedMount {
  readonly study: Study;
  readonly viewsetId: string;
}

/**
 * Returns the next (1) or previous (-1) mount of the list of studies, counted from the open mount, else from the heading of the study;
 * null at the end of the list.
 */
export const mountBeside = (
  studies: readonly Study[],
  study: Study | null,
  viewsetId: string | null,
  by: 1 | -1,
): ListedMount | null => {
  const rows = studies.flatMap((one) => [
    { study: one, viewsetId: null },
    ...one.viewsets.map(({ viewSetUuid }) => ({ study: one, viewsetId: viewSetUuid })),
  ]);
  const at = rows.findIndex((row) => row.viewsetId === viewsetId && row.study.uid === study?.uid);
  const ahead = by === 1 ? rows.slice(at + 1) : rows.slice(0, Math.max(at, 0)).toReversed();
  const next = ahead.find((row) => row.viewsetId !== null);
  return next?.viewsetId ? { study: next.study, viewsetId: next.viewsetId } : null;
};
