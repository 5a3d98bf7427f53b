// breaks: shapes-is-pure
import '../common/refusal.ts';
