import { useTranslation } from 'react-i18next';
import classes from './viewer.module.css';

interface ViewerOverlayProps {
  readonly patient: string;
  readonly personalNumber: string;
  readonly date: string | null;
  readonly modality: string;
  readonly teeth: readonly number[];
  /** Device pixels for one image pixel; null before the first drawing. */
  readonly scale: number | null;
  /** null where the file's own lookup table is used, or for colour. */
  readonly window: { readonly centre: number; readonly width: number } | null;
  readonly frame: number;
  readonly frames: number;
}

/** The facts in the corners of the image, legible on black and on white. */
export const ViewerOverlay = (props: ViewerOverlayProps) => {
  const { patient, personalNumber, date, modality, teeth, scale, window, frame, frames } = props;
  const { t, i18n } = useTranslation('viewer');
  const number = (value: number) =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 }).format(value);
  return (
    <div className={classes.overlay}>
      <div className={classes.topLeft}>
        <span>{patient}</span>
        <span>{personalNumber}</span>
      </div>
      <div className={classes.topRight}>
        {date && <span>{date}</span>}
        <span>{modality}</span>
        {teeth.length > 0 && <span>{teeth.join(' ')}</span>}
      </div>
      <div className={classes.bottomLeft} data-testid="overlay-zoom">
        {scale !== null && (
          <span>{scale === 1 ? t('oneToOne') : t('zoomValue', { percent: number(scale * 100) })}</span>
        )}
      </div>
      <div className={classes.bottomRight} data-testid="overlay-window">
        {frames > 1 && <span>{t('frame', { frame, frames })}</span>}
        {window && <span>{t('windowValue', { center: number(window.centre), width: number(window.width) })}</span>}
      </div>
    </div>
  );
};
