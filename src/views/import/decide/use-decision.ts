import { useState } from 'react';
import type { ImportDecision, ImportStudy } from '../../../../contract/imports.ts';

/** What is decided about a study as a person sees it: what the archive has, and on top of it what is on its way there. */
export interface ShownDecision {
  readonly decision: ImportDecision;
  /** A patient was chosen, and the archive has not compared the files with them yet. */
  readonly comparing: boolean;
  /** The archive is placing the files. */
  readonly placing: boolean;
  readonly decide: (change: Partial<ImportDecision>) => void;
}

type Change = Partial<ImportDecision>;

/** A template without links asks the archive to place the files: what was linked before is no longer so. */
const together = (before: Change, change: Change): Change => {
  const { imagesHashMap: _, ...rest } = before;
  return change.viewSetTemplateUuid !== undefined && change.imagesHashMap === undefined
    ? { ...rest, ...change }
    : { ...before, ...change };
};

/**
 * Shows a decision at once, and what the archive says as soon as it has answered. A patient is the exception: whom the files match is the
 * archive's word, so until then nothing is said to fit.
 */
export const useDecision = (
  study: ImportStudy,
  deciding: boolean,
  onDecide: (change: Change) => void,
): ShownDecision => {
  const [onItsWay, setOnItsWay] = useState<Change>({});
  const [seen, setSeen] = useState({ study, deciding });
  if (seen.study !== study || seen.deciding !== deciding) {
    setSeen({ study, deciding });
    if (!deciding) setOnItsWay({});
  }
  const { viewSetTemplateUuid: template, imagesHashMap: links, patientId } = onItsWay;
  const placing = template !== undefined && template !== null && links === undefined;
  return {
    decision: { ...study.decision, ...(template !== undefined && { imagesHashMap: {} }), ...onItsWay },
    comparing: patientId !== undefined && patientId !== study.decision.patientId,
    placing,
    decide: (change) => {
      setOnItsWay((before) => together(before, change));
      onDecide(change);
    },
  };
};
