import { useEffect, useState } from 'react';
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

/** A template without links: the archive is to place the files. */
const asksToPlace = ({ viewSetTemplateUuid, imagesHashMap }: Change) =>
  viewSetTemplateUuid !== undefined && viewSetTemplateUuid !== null && imagesHashMap === undefined;

/** What was linked before a template was chosen is linked no more. */
const together = ({ imagesHashMap, ...before }: Change, change: Change): Change => ({
  ...before,
  ...(imagesHashMap !== undefined && !asksToPlace(change) && { imagesHashMap }),
  ...change,
});

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
  /** Said after what is on its way: both in one would be links of one template with another. */
  const [later, setLater] = useState<Change | null>(null);
  const [seen, setSeen] = useState({ study, deciding });
  if (seen.study !== study || seen.deciding !== deciding) {
    setSeen({ study, deciding });
    if (!deciding) setOnItsWay(later ?? {});
  }
  useEffect(() => {
    if (deciding || later === null) return;
    setLater(null);
    onDecide(later);
  }, [deciding, later, onDecide]);

  const decide = (change: Change) => {
    setOnItsWay((before) => together(before, change));
    if (later !== null) return setLater(together(later, change));
    const isKnown = change.viewSetTemplateUuid === study.decision.viewSetTemplateUuid;
    if (!asksToPlace(change) || (!deciding && !isKnown)) return onDecide(change);
    // The archive places files into a template that is new to the study.
    if (isKnown) onDecide({ viewSetTemplateUuid: null, imagesHashMap: {} });
    setLater(change);
  };
  const placing = asksToPlace(onItsWay);
  return {
    decision: { ...study.decision, ...(placing && { imagesHashMap: {} }), ...onItsWay },
    comparing: onItsWay.patientId !== undefined && onItsWay.patientId !== study.decision.patientId,
    placing,
    decide,
  };
};
