import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly icon?: ReactNode;
  /** The next step, as a button or a link. */
  readonly action?: ReactNode;
  readonly urgent?: boolean;
}

/** Where there is nothing to show: what that means, and the next step. */
export const Notice = ({ title, text, icon, action, urgent = false }: NoticeProps) => (
  <div className={classes.notice} role={urgent ? 'alert' : 'status'}>
    {icon && <div className={classes.icon}>{icon}</div>}
    <h2 className={classes.title}>{title}</h2>
    {text && <p className={classes.text}>{text}</p>}
    {action && <div className={classes.action}>{action}</div>}
  </div>
);
