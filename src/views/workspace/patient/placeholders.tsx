import { Button, Skeleton } from '@mantine/core';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import classes from './patient.module.css';

/** Placeholder of the workspace while it loads. */
export const WorkspaceSkeleton = () => (
  <div className={classes.workspace} aria-busy="true">
    <div className={classes.workspaceBar}>
      <Skeleton height={14} width={160} />
    </div>
  </div>
);

/** A message on the black image area. */
export const ImageAreaMessage = ({ children }: { children: ReactNode }) => (
  <div className={classes.words} data-on-black>
    {children}
  </div>
);

export const NothingChosen = () => {
  const { t } = useTranslation('patient');
  return (
    <ImageAreaMessage>
      <Notice title={t('nothingChosen')} icon={<IconPhoto />} />
    </ImageAreaMessage>
  );
};

/** The URL names something deleted or of another patient. */
export const ContentNotFound = () => {
  const { t } = useTranslation('viewset');
  return (
    <ImageAreaMessage>
      <Notice urgent title={t('imageGone')} text={t('imageGoneText')} icon={<IconPhotoOff />} />
    </ImageAreaMessage>
  );
};

export const ViewsetFailed = ({ onRetry }: { onRetry: (() => void) | null }) => {
  const { t } = useTranslation(['patient', 'shell']);
  return (
    <ImageAreaMessage>
      <Notice
        urgent
        title={t('viewsetFailed')}
        action={onRetry && <Button onClick={onRetry}>{t('shell:retry')}</Button>}
      />
    </ImageAreaMessage>
  );
};

export const NoStudies = ({ name, onChooseFiles }: { name: string; onChooseFiles: () => void }) => {
  const { t } = useTranslation('patient');
  return (
    <ImageAreaMessage>
      <Notice
        title={t('noStudiesTitle')}
        text={t('noStudiesText', { name })}
        action={<Button onClick={onChooseFiles}>{t('chooseFiles')}</Button>}
      />
    </ImageAreaMessage>
  );
};
