import { useTranslation } from 'react-i18next';
import { type Placement, type PresentationState, wholeStage } from '../../../viewer/index.ts';
import type { PriorComparison, ShownContent, ShownImage } from '../../app/shown-content.ts';
import type { ShownPatient } from '../shown-patient.ts';
import { ImageOverlay } from './image-overlay.tsx';
import { ImageState, NoPixelsState } from './image-state.tsx';
import { ImageWarnings } from './image-warnings.tsx';
import { PriorHeading } from './prior-bar.tsx';
import type { ShownSettings } from './scene-of-content.ts';
import type { StageStore } from './stage-store.ts';
import { useLoading } from './use-stage.ts';
import classes from './viewer-workspace.module.css';

interface StageCellsProps {
  readonly content: ShownContent;
  readonly store: StageStore | null;
  /** Place of a compared image, in fractions of the stage. */
  readonly placeOf: (imageUid: string) => Placement | null;
  readonly settingsOf: (shown: ShownImage) => ShownSettings;
  readonly active: ShownImage | null;
  /** Whether facts are shown in the corners. */
  readonly overlays: boolean;
  readonly planesHidden: boolean;
  readonly marksHidden: boolean;
  readonly stateOf: (imageUid: string) => PresentationState | null;
  readonly patient: ShownPatient;
  readonly onRetry: () => void;
  /** UIDs of images with unsaved changes. */
  readonly unsaved: readonly string[];
}

const percent = (part: number) => `${part * 100}%`;

/** One image of the stage. `framed`: the active one of a comparison; `first`: the one that names the patient. */
const Cell = ({
  shown,
  place,
  framed,
  first,
  prior,
  ...stage
}: Omit<StageCellsProps, 'content' | 'placeOf' | 'active'> & {
  shown: ShownImage;
  place: Placement;
  framed: boolean;
  first: boolean;
  prior: PriorComparison | null;
}) => {
  const { store, overlays, planesHidden, marksHidden, stateOf, patient, onRetry, settingsOf, unsaved } = stage;
  const { t } = useTranslation('viewer');
  const loading = useLoading(store, shown.image.uid);
  const { frame, view } = settingsOf(shown);
  return (
    <div
      className={classes.cell}
      data-framed={framed || undefined}
      data-headed={prior !== null || undefined}
      style={{
        left: percent(place.x),
        top: percent(place.y),
        width: percent(place.width),
        height: percent(place.height),
      }}
    >
      <ImageState
        loading={loading}
        transferSyntax={shown.image.imageTransferSyntax}
        fileError={shown.image.storageFault}
        onRetry={onRetry}
      />
      {loading?.phase === 'ready' && <ImageWarnings image={loading.image} fileError={shown.image.storageFault} />}
      {unsaved.includes(shown.image.uid) && <span className={classes.unsaved}>{t('notSaved')}</span>}
      {prior && <PriorHeading prior={prior} imageUid={shown.image.uid} />}
      {overlays && (
        <ImageOverlay
          store={store}
          shown={shown}
          frame={frame}
          view={view}
          patient={patient}
          withPatient={first}
          withDate={prior === null}
          planesHidden={planesHidden}
          marksHidden={marksHidden}
          state={stateOf(shown.image.uid)}
        />
      )}
    </div>
  );
};

/** Overlays of the images on the stage: facts in the corners, and placeholders. */
export const StageCells = ({ content, placeOf, active, ...stage }: StageCellsProps) => {
  if (content.kind === 'compare')
    return content.images.map((shown, index) => (
      <Cell
        key={shown.image.uid}
        {...stage}
        shown={shown}
        place={placeOf(shown.image.uid) ?? wholeStage}
        framed={active?.image.uid === shown.image.uid}
        first={index === 0}
        prior={content.prior}
      />
    ));
  if (content.kind === 'mount' || content.kind === 'mounts')
    return (
      active &&
      stage.overlays && (
        <ImageOverlay
          store={stage.store}
          shown={active}
          frame={stage.settingsOf(active).frame}
          view={null}
          patient={stage.patient}
          withPatient
          withDate
          planesHidden={stage.planesHidden}
          marksHidden={stage.marksHidden}
          state={stage.stateOf(active.image.uid)}
        />
      )
    );
  return content.shown.image.kind === 'document' ? (
    <NoPixelsState image={content.shown.image} />
  ) : (
    <Cell
      key={content.shown.image.uid}
      {...stage}
      shown={content.shown}
      place={wholeStage}
      framed={false}
      first
      prior={null}
    />
  );
};
