import { useEffect, useState } from 'react';
import type { ImportDecision, ImportStudy } from '../../../../contract/imports.ts';

/** Decision of a study as displayed: the server's state with pending changes applied. */
export interface ShownDecision {
  readonly decision: ImportDecision;
  /** A patient was chosen and the server has not compared it with the files yet. */
  readonly comparing: boolean;
  /** The server is placing the files. */
  readonly placing: boolean;
  readonly decide: (change: Partial<ImportDecision>) => void;
}

type Change = Partial<ImportDecision>;

/** A template without links requests automatic placement. */
const requestsPlacement = ({ viewSetTemplateUuid, imagesHashMap }: Change) =>
  viewSetTemplateUuid !== undefined && viewSetTemplateUuid !== null && imagesHashMap === undefined;

/** A new template drops the earlier links. */
const together = ({ imagesHashMap, ...before }: Change, change: Change): Change => ({
  ...before,
  ...(imagesHashMap !== undefined && !requestsPlacement(change) && { imagesHashMap }),
  ...change,
});

/**
 * Applies a decision optimistically and shows the server's answer when it arrives. The patient match is never
 * predicted: it is unknown until the server answers.
 */
export const useDecision = (
  study: ImportStudy,
  deciding: boolean,
  onDecide: (change: Change) => void,
): ShownDecision => {
  const [pending, setPending] = useState<Change>({});
  /** Sent after the pending change; merged, they could combine links and template of different changes. */
  const [later, setLater] = useState<Change | null>(null);
  const [seen, setSeen] = useState({ study, deciding });
  if (seen.study !== study || seen.deciding !== deciding) {
    setSeen({ study, deciding });
    if (!deciding) setPending(later ?? {});
  }
  useEffect(() => {
    if (deciding || later === null) return;
    setLater(null);
    onDecide(later);
  }, [deciding, later, onDecide]);

  const decide = (change: Change) => {
    setPending((before) => together(before, change));
    if (later !== null) return setLater(together(later, change));
    const isKnown = change.viewSetTemplateUuid === study.decision.viewSetTemplateUuid;
    if (!requestsPlacement(change) || (!deciding && !isKnown)) return onDecide(change);
    // The server places files into a template that is new to the study.
    if (isKnown) onDecide({ viewSetTemplateUuid: null, imagesHashMap: {} });
    setLater(change);
  };
  const placing = requestsPlacement(pending);
  return {
    decision: { ...study.decision, ...(placing && { imagesHashMap: {} }), ...pending },
    comparing: pending.patientId !== undefined && pending.patientId !== study.decision.patientId,
    placing,
    decide,
  };
};
