import { useTranslation } from 'react-i18next';
import { acquiredOf } from '../../../../contract/images.ts';
import { teethShown } from '../../../../contract/viewsets.ts';
import type { LoadedImage, PresentationState, View } from '../../../viewer/index.ts';
import type { ShownImage } from '../../app/shown-content.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { ProtectedMark } from '../../language/protected-mark.tsx';
import { useToothText } from '../../language/tooth-notation.ts';
import { GradeSign } from '../grades/grade-sign.tsx';
import { NoteSign } from '../notes/note-sign.tsx';
import type { ShownPatient } from '../shown-patient.ts';
import { StateSign } from '../states/state-sign.tsx';
import { isPreset, presetsOf } from './grey-values.ts';
import classes from './image-overlay.module.css';
import type { Drawn, PointerValue, StageStore } from './stage-store.ts';
import { useDrawnPart, useLoadedImage, useStageStore } from './use-stage.ts';
import { useNumberText, usePresetName, useValueText } from './viewer-texts.ts';

interface ImageOverlayProps {
  readonly store: StageStore | null;
  readonly shown: ShownImage;
  readonly frame: number;
  /** Null in a mount, which shows every image whole. */
  readonly view: View | null;
  readonly patient: ShownPatient;
  /** In a comparison the patient is shown once. */
  readonly withPatient: boolean;
  /** Beside an earlier image the date is in the heading. */
  readonly withDate: boolean;
  readonly planesHidden: boolean;
  readonly marksHidden: boolean;
  /** The presentation state that it is shown with. */
  readonly state: PresentationState | null;
}

const whole = (drawn: Drawn): Drawn => drawn;
const pointerValue = (store: StageStore, uid: string): PointerValue | null => {
  const value = store.pointer();
  return value?.id === uid ? value : null;
};

const DrawnFacts = ({ image, drawn }: { image: LoadedImage; drawn: Drawn }) => {
  const { t } = useTranslation('viewer');
  const numberText = useNumberText();
  const valueText = useValueText(image.range);
  const presetName = usePresetName();
  const { voi } = drawn.display;
  const grey = image.description.samplesPerPixel === 1;
  const presets = presetsOf(image, null);
  const lut = grey && voi.kind === 'lut' ? presets.find((preset) => isPreset(preset, voi)) : undefined;
  const percent = drawn.camera.scale * 100;
  return (
    <>
      {grey && voi.kind === 'window' && (
        <span>{t('windowValue', { center: valueText(voi.centre), width: valueText(voi.width) })}</span>
      )}
      {lut && <span>{presetName(lut, presets)}</span>}
      <span data-testid="overlay-zoom">
        {drawn.camera.scale === 1
          ? t('oneToOne')
          : t('zoomValue', { percent: numberText(percent, percent < 10 ? 1 : 0) })}
      </span>
    </>
  );
};

/** Shows the loaded quality. */
const Quality = ({ image, drawn, lossy }: { image: LoadedImage; drawn: Drawn; lossy: boolean }) => {
  const { t } = useTranslation('viewer');
  // Only highlighted when fewer image pixels than screen pixels are loaded.
  const tooCoarse = drawn.level === 'reduced' && drawn.camera.scale * image.reduction > 1;
  return (
    <span className={classes.badges} data-testid="overlay-quality">
      {drawn.filtering && <span data-notable>{t('filtering')}</span>}
      <span data-notable={tooCoarse || undefined}>{t(`level-${drawn.level}`)}</span>
      {image.coded && <span data-notable>{t('sizeDiffers')}</span>}
      <span data-notable={lossy || image.description.lossy || undefined}>
        {t(lossy || image.description.lossy ? 'lossy' : 'lossless')}
      </span>
    </span>
  );
};

/** Says that the file lays graphics over the image, and when they are hidden or incomplete. */
const PlanesSign = ({ image, hidden }: { image: LoadedImage; hidden: boolean }) => {
  const { t } = useTranslation('viewer');
  const { planes, incomplete } = image.overlayPlanes;
  if (planes.length === 0 && incomplete === 0) return null;
  const sign = incomplete > 0 ? 'planesCut' : hidden ? 'planesHidden' : 'planes';
  return (
    <span className={classes.badges} data-testid="overlay-planes">
      <span data-notable={sign !== 'planes' || undefined}>{t(sign)}</span>
    </span>
  );
};

const PointerFacts = ({ store, shown, image }: { store: StageStore; shown: ShownImage; image: LoadedImage }) => {
  const { t } = useTranslation('viewer');
  const value = useStageStore(store, (store) => pointerValue(store, shown.image.uid));
  const numberText = useNumberText();
  const reduced = useDrawnPart(store, shown.image.uid, ({ level }) => level === 'reduced');
  if (!value) return null;
  const digits = image.description.sampleKind === 'integer' && value.modality.every(Number.isInteger) ? 0 : 2;
  const unit = shown.image.seriesModalityValue === 'CT' && image.modality.kind === 'rescale' ? t('unitHu') : '';
  const numbers = value.modality.map((one) => numberText(one, digits)).join(' ');
  return (
    <span data-testid="overlay-value">
      {t('valueAt', { x: value.x + 1, y: value.y + 1, value: `${reduced ? '≈ ' : ''}${numbers}${unit && ` ${unit}`}` })}
    </span>
  );
};

/** Facts in the corners of an image, legible on black and white. */
export const ImageOverlay = ({
  store,
  shown,
  frame,
  view,
  patient,
  withPatient,
  withDate,
  ...rest
}: ImageOverlayProps) => {
  const { t } = useTranslation('viewer');
  const modalityName = useModalityName();
  const toothText = useToothText();
  const { image: info, item } = shown;
  const image = useLoadedImage(store, info.uid);
  const drawn = useDrawnPart(store, info.uid, whole);
  const teeth = item ? teethShown(item) : info.teeth;
  const acquired = acquiredOf(info);
  return (
    <div className={classes.overlay} data-on-black>
      <div className={classes.topLeft}>
        {withPatient && (
          <span>
            {patient.name}
            <ProtectedMark of={patient} />
          </span>
        )}
        {withPatient && <span>{patient.personalNumber}</span>}
      </div>
      <div className={classes.topRight}>
        {withDate && acquired && <span>{acquired.slice(0, 10)}</span>}
        <span>{modalityName(info.seriesModalityValue)}</span>
        {teeth.length > 0 && <span>{toothText(teeth)}</span>}
        <NoteSign note={info.note} />
        <GradeSign grade={info.grade} />
      </div>
      <div className={classes.bottomLeft}>
        {store && image && <PointerFacts store={store} shown={shown} image={image} />}
        {image && rest.state && (
          <span className={classes.badges} data-testid="overlay-state">
            <StateSign state={rest.state} image={image} view={view} marksHidden={rest.marksHidden} />
          </span>
        )}
        {image && <PlanesSign image={image} hidden={rest.planesHidden} />}
        {image && drawn && <Quality image={image} drawn={drawn} lossy={info.imageCompression === 'lossy'} />}
      </div>
      <div className={classes.bottomRight} data-testid="overlay-window">
        {info.frames > 1 && <span>{t('frame', { frame, frames: info.frames })}</span>}
        {image && drawn && <DrawnFacts image={image} drawn={drawn} />}
      </div>
    </div>
  );
};
