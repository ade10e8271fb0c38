import type { Place } from '../../viewer/index.ts';
import type { ShownContent, ShownImage } from '../shown-content.ts';
import { ImageOverlay } from './image-overlay.tsx';
import classes from './reading-room.module.css';
import type { StageMemory } from './stage-memory.ts';
import { DocumentState, ImageState } from './stage-state.tsx';
import { useLoading } from './use-memory.ts';

interface StageCellsProps {
  readonly content: ShownContent;
  readonly memory: StageMemory | null;
  /** Of the images of a comparison, in fractions of the stage. */
  readonly placeOf: (imageUid: string) => Place | null;
  readonly frameOf: (shown: ShownImage) => number;
  readonly inHand: ShownImage | null;
  readonly overlays: boolean;
  readonly patient: { readonly name: string; readonly personalNumber: string };
  readonly onRetry: () => void;
}

const percent = (part: number) => `${part * 100}%`;

const Cell = ({
  shown,
  place,
  framed,
  first,
  ...stage
}: Pick<StageCellsProps, 'memory' | 'overlays' | 'patient' | 'onRetry' | 'frameOf'> & {
  shown: ShownImage;
  place: Place;
  framed: boolean;
  first: boolean;
}) => {
  const { memory, overlays, patient, onRetry, frameOf } = stage;
  const loading = useLoading(memory, shown.image.uid);
  return (
    <div
      className={classes.cell}
      data-framed={framed || undefined}
      style={{
        left: percent(place.x),
        top: percent(place.y),
        width: percent(place.width),
        height: percent(place.height),
      }}
    >
      <ImageState loading={loading} transferSyntax={shown.image.imageTransferSyntax} onRetry={onRetry} />
      {overlays && (
        <ImageOverlay memory={memory} shown={shown} frame={frameOf(shown)} patient={patient} withPatient={first} />
      )}
    </div>
  );
};

const whole: Place = { x: 0, y: 0, width: 1, height: 1 };

/** What lies over the images of the stage: facts in the corners, and what stands in for an image that is not there. */
export const StageCells = ({ content, placeOf, inHand, ...stage }: StageCellsProps) => {
  if (content.kind === 'compare')
    return content.images.map((shown, index) => (
      <Cell
        key={shown.image.uid}
        {...stage}
        shown={shown}
        place={placeOf(shown.image.uid) ?? whole}
        framed={inHand?.image.uid === shown.image.uid}
        first={index === 0}
      />
    ));
  if (content.kind === 'mount')
    return (
      inHand &&
      stage.overlays && (
        <ImageOverlay
          memory={stage.memory}
          shown={inHand}
          frame={stage.frameOf(inHand)}
          patient={stage.patient}
          withPatient
        />
      )
    );
  return content.shown.image.kind === 'document' ? (
    <DocumentState />
  ) : (
    <Cell key={content.shown.image.uid} {...stage} shown={content.shown} place={whole} framed={false} first />
  );
};
