import { Skeleton } from '@mantine/core';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Viewset } from '../../../contract/viewsets.ts';
import { Notice } from '../parts/notice.tsx';
import { Mount, type SharpMount } from './mount.tsx';
import classes from './patient.module.css';

/** A mount with its name above it. */
export const MountPane = ({
  viewset,
  series,
  date,
  activeImage,
  renderSharp,
}: {
  viewset: Viewset;
  series: string;
  date: string | null;
  activeImage: string | null;
  renderSharp: (sharp: SharpMount) => ReactNode;
}) => {
  const { t } = useTranslation('patient');
  const filled = viewset.viewSetItems.filter((item) => item.activeImage).length;
  return (
    <div className={classes.mountPane}>
      <div className={classes.mountBar}>
        <h2>{viewset.name}</h2>
        {date && !viewset.name.includes(date) && <span className={classes.quiet}>{date}</span>}
        <span className={classes.quiet}>{t('slots', { filled, slots: viewset.viewSetItems.length })}</span>
      </div>
      <div className={classes.board}>
        <Mount viewset={viewset} series={series} activeImage={activeImage} renderSharp={renderSharp} />
      </div>
    </div>
  );
};

/** The bar and the black of a mount that is on its way. */
export const MountSkeleton = () => (
  <div className={classes.mountPane} aria-busy="true">
    <div className={classes.mountBar}>
      <Skeleton height={14} width={160} />
    </div>
  </div>
);

/** Words where the image will be. */
export const OnBlack = ({ children }: { children: ReactNode }) => (
  <div className={classes.words} data-on-black>
    {children}
  </div>
);

export const NothingChosen = () => {
  const { t } = useTranslation('patient');
  return (
    <OnBlack>
      <Notice title={t('nothingChosen')} icon={<IconPhoto />} />
    </OnBlack>
  );
};
