import { ActionIcon, Button } from '@mantine/core';
import IconAngle from '@tabler/icons-react/dist/esm/icons/IconAngle.mjs';
import IconRuler from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import {
  type Calibration,
  type LoadedImage,
  type Mark,
  measured,
  measuredText,
  yardstickOf,
} from '../../viewer/index.ts';
import classes from './panel.module.css';
import { useStageWords } from './stage-words.ts';

interface MeasuresSectionProps {
  readonly image: LoadedImage;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  readonly onMarks: (marks: readonly Mark[]) => void;
  readonly onCalibrate: () => void;
  readonly onUncalibrate: () => void;
}

/** What was measured in the image, and how far its lengths may be trusted. */
export const MeasuresSection = (props: MeasuresSectionProps) => {
  const { image, marks, calibration, onMarks, onCalibrate, onUncalibrate } = props;
  const { t, i18n } = useTranslation('viewer');
  const words = useStageWords();
  const yardstick = yardstickOf(image, calibration);
  const many = image.description.numberOfFrames > 1;
  return (
    <>
      <p className={classes.quiet}>{t(`scale-${yardstick.honesty}`)}</p>
      {marks.length > 0 && (
        <ul className={classes.marks} aria-label={t('measurements')}>
          {marks.map((mark) => {
            const text = measuredText(
              measured(mark, yardstickOf({ ...image, frame: mark.frame }, calibration)),
              words,
              i18n.language,
            );
            return (
              <li key={mark.id} className={classes.mark}>
                {mark.kind === 'angle' ? (
                  <IconAngle aria-label={words.angle} />
                ) : (
                  <IconRuler aria-label={words.length} />
                )}
                <span>
                  {text}
                  {many && <small>{t('frame', { frame: mark.frame, frames: image.description.numberOfFrames })}</small>}
                </span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t('deleteMeasurement', { value: text })}
                  title={t('deleteMeasurement', { value: text })}
                  onClick={() => onMarks(marks.filter(({ id }) => id !== mark.id))}
                >
                  <IconTrash />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
      {marks.length === 0 && <p className={classes.quiet}>{t('noMeasurements')}</p>}
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={onCalibrate}>
          {t(calibration ? 'calibrateAgain' : 'calibrateByLength')}
        </Button>
        {calibration && (
          <Button size="xs" variant="default" onClick={onUncalibrate}>
            {t('removeCalibration')}
          </Button>
        )}
      </div>
    </>
  );
};
