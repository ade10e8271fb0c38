import { ActionIcon, Button } from '@mantine/core';
import IconAngle from '@tabler/icons-react/dist/esm/icons/IconAngle.mjs';
import IconRuler from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import {
  type KnownCalibration,
  type LoadedImage,
  type Mark,
  measured,
  measuredText,
  measurementScaleOf,
} from '../../../viewer/index.ts';
import { useWorkspace } from '../workspace-context.ts';
import classes from './panel.module.css';
import { useStageLabels } from './viewer-texts.ts';

interface MeasuresSectionProps {
  readonly imageUid: string;
  readonly image: LoadedImage;
  readonly marks: readonly Mark[];
  readonly calibration: KnownCalibration;
}

/** The measurements of the image and the accuracy of its lengths. */
export const MeasuresSection = ({ imageUid, image, marks, calibration }: MeasuresSectionProps) => {
  const { viewer } = useWorkspace();
  const { t, i18n } = useTranslation('viewer');
  const words = useStageLabels();
  const yardstick = measurementScaleOf(image, calibration);
  const isCalibrated = calibration !== null && calibration !== 'unknown';
  const many = image.description.numberOfFrames > 1;
  return (
    <>
      <p className={classes.dimmed}>{t(`scale-${yardstick.spacingSource}`)}</p>
      {marks.length > 0 && (
        <ul className={classes.marks} aria-label={t('measurements')}>
          {marks.map((mark) => {
            const text = measuredText(
              measured(mark, measurementScaleOf({ ...image, frame: mark.frame }, calibration)),
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
                  onClick={() =>
                    viewer.send({ type: 'marks.settled', imageUid, marks: marks.filter(({ id }) => id !== mark.id) })
                  }
                >
                  <IconTrash />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
      {marks.length === 0 && <p className={classes.dimmed}>{t('noMeasurements')}</p>}
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={() => viewer.send({ type: 'tool.chosen', tool: 'calibrate' })}>
          {t(isCalibrated ? 'calibrateAgain' : 'calibrateByLength')}
        </Button>
        {isCalibrated && (
          <Button
            size="xs"
            variant="default"
            onClick={() => viewer.send({ type: 'image.calibrated', imageUid, calibration: null })}
          >
            {t('removeCalibration')}
          </Button>
        )}
      </div>
    </>
  );
};
