/** A group of settings: what it is about, and its controls, beside it in wide windows. */
import type { ReactNode } from 'react';
import './setting.css';

interface SettingProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Setting({ title, text, className = '', children }: SettingProps) {
  return (
    <section className={`card setting ${className}`}>
      <div>
        <h2>{title}</h2>
        {text && <p className="hint">{text}</p>}
      </div>
      <div className="setting-controls">{children}</div>
    </section>
  );
}
