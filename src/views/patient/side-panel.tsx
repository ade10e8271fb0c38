import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs';
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs';
import IconLayoutSidebarRightCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs';
import IconLayoutSidebarRightExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStoredFlag } from '../parts/stored-state.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import classes from './patient.module.css';

interface SidePanelProps {
  readonly side: 'left' | 'right';
  readonly name: string;
  readonly children: ReactNode;
}

const icons = {
  left: { open: IconLayoutSidebarLeftCollapse, shut: IconLayoutSidebarLeftExpand },
  right: { open: IconLayoutSidebarRightCollapse, shut: IconLayoutSidebarRightExpand },
};

/** A panel beside the image that folds to an icon, and remembers whether it did. */
export const SidePanel = ({ side, name, children }: SidePanelProps) => {
  const { t } = useTranslation('patient');
  const [open, setOpen] = useStoredFlag(`dentarium.panel.${side}`, true);
  const Icon = icons[side][open ? 'open' : 'shut'];
  return (
    <aside className={classes.panel} data-side={side} data-open={open} data-chrome aria-label={name}>
      <div className={classes.fold}>
        <ToolButton label={t(open ? 'hidePanel' : 'showPanel', { panel: name })} onClick={() => setOpen(!open)}>
          <Icon />
        </ToolButton>
      </div>
      {open && <div className={classes.content}>{children}</div>}
    </aside>
  );
};
