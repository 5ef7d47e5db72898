<?php

declare(strict_types=1);

namespace Posthorn;

/** An error of the gateway or of the way to it. No message contains the API key, a text or a phone number. */
class PosthornError extends \RuntimeException
{
}
