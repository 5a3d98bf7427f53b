// breaks: json-is-pure
import 'node:buffer';
