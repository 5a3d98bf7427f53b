export const usage = <p>Usage</p>;
