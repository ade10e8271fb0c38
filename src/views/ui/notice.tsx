import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { ReactNode } from 'react';
import classes from './notice.module.css';
import { PageTitle } from './page-heading.tsx';

interface NoticeProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly icon?: ReactNode;
  /** The next step: a button or link. */
  readonly action?: ReactNode;
  /** An error: red icon, a default one when omitted. */
  readonly urgent?: boolean;
  /** Replaces a whole page: its title is the page heading. */
  readonly isPage?: boolean;
}

/** A message where there is nothing to show, with the next step. */
export const Notice = ({ title, text, icon, action, urgent = false, isPage = false }: NoticeProps) => (
  <div className={classes.notice} role={urgent ? 'alert' : 'status'} data-urgent={urgent || undefined}>
    {isPage && <PageTitle>{title}</PageTitle>}
    {(icon || urgent) && <div className={classes.icon}>{icon ?? <IconAlertTriangle aria-hidden="true" />}</div>}
    {isPage ? <h1 className={classes.title}>{title}</h1> : <h2 className={classes.title}>{title}</h2>}
    {text && <p className={classes.text}>{text}</p>}
    {action && <div className={classes.action}>{action}</div>}
  </div>
);
